import type { BareEvent, Event } from '../../core/model/run/event.js'
import type { Result } from '../../core/model/run/result.js'
import { follow } from './follow-signal.js'

/** Returns one field of unchecked options. */
export const fieldOf = (options: unknown, name: string): unknown =>
  typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined

/** Tells the listener what became of the changes, where there were any. */
export function emitChanges({ id, transaction: report }: Result, emit: Emit): void {
  if (!report) return
  const { outcome } = report
  if (outcome === 'rolled-back' || outcome === 'committed' || outcome === 'waiting-for-review') {
    emit({ type: outcome, id, report })
  }
}

export const ignore = (): void => {}

export type Emit = (event: BareEvent) => void

/** A listener that throws must not decide how a command ends. */
export function emitter(options: unknown, { agent, tool }: Pick<Event, 'agent' | 'tool'>): Emit {
  const onEvent = fieldOf(options, 'onEvent')
  if (typeof onEvent !== 'function') return ignore
  return (event) => {
    try {
      onEvent({ ...event, agent, tool })
    } catch {
      // The listener's own affair.
    }
  }
}

/** Cancels when the caller's own signal does. */
export function followSignal(options: unknown, abort: AbortController): () => void {
  const signal = fieldOf(options, 'signal')
  return signal instanceof AbortSignal ? follow(signal, () => abort.abort()) : ignore
}

/** Names the tool of a request: as the model called it, else by the form of the command. */
export const toolOf = (
  { input }: { readonly input: unknown },
  { toolName }: { readonly toolName?: string | undefined },
): string => toolName ?? (typeof input === 'object' ? 'exec' : 'bash')
