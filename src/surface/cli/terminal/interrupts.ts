import type { Relay } from '../../../core/model/basics/relay.js'
import type { Io } from './io.js'

/** Routes Ctrl-C while one command runs. */
export interface Interrupts {
  readonly signal: AbortSignal
  /** Connects a command that runs; see Relay. */
  readonly connect: NonNullable<Relay['interrupts']>
  cancel(): void
  stop(): void
}

/**
 * Listens for Ctrl-C. The first one goes to the command that is connected, as SIGINT, and the command decides what
 * comes of it, as in a shell. A second one, one before a command runs, SIGTERM and SIGHUP cancel.
 */
export function listenForInterrupts(io: Io): Interrupts {
  const abort = new AbortController()
  let send: (() => boolean) | null = null
  const stop = io.onInterrupt((signal) => {
    const interrupt = signal === 'SIGINT' ? send : null
    send = null
    if (!interrupt?.()) abort.abort()
  })
  return {
    signal: abort.signal,
    connect(interrupt) {
      send = interrupt
      return () => {
        send = null
      }
    },
    cancel: () => abort.abort(),
    stop,
  }
}
