import type { InputSink, Relay, Stream } from '../../../core/model/basics/relay.js'
import type { Io, Screen } from './io.js'
import { createTerminalFilter } from './terminal-filter.js'

/** The person's own streams, connected to a command. */
export interface CliRelay extends Relay {
  /** Switches off colours that the command left on. */
  end(): Promise<void>
  /** Why output was lost, for example a full disk; null if none was, or if its reader exited. */
  readonly failure: string | null
}

interface RelayOptions {
  readonly stdin: boolean
  readonly interrupts: Relay['interrupts']
}

/**
 * Connects a command to the streams of the command line: bytes as they are, but for the control sequences a terminal
 * would obey.
 */
export function createRelay(io: Io, { stdin, interrupts }: RelayOptions): CliRelay {
  const merged = io.hasOneOutput
  const outputs = { stdout: outputTo(io.stdout), stderr: outputTo(io.stderr) }
  return {
    stdin: stdin && isReadable(io) ? (sink) => sendInput(io.stdin, sink) : undefined,
    interrupts,
    merged,
    write: (stream: Stream, bytes) => outputs[stream].write(bytes),
    async end() {
      await outputs.stdout.end()
      await outputs.stderr.end()
    },
    get failure() {
      return outputs.stdout.failure ?? outputs.stderr.failure
    },
  }
}

/** A background job that reads from its terminal is stopped by the kernel. */
const isReadable = (io: Io): boolean => io.stdin.isTTY !== true || io.isForeground()

interface Output {
  readonly failure: string | null
  write(bytes: Uint8Array): boolean | Promise<boolean>
  end(): Promise<void>
}

function outputTo(screen: Screen): Output {
  const filter = screen.isTTY === true ? createTerminalFilter() : null
  const decoder = new TextDecoder()
  let failure: string | null = null
  const send = (data: Uint8Array | string): boolean | Promise<boolean> => {
    if (screen.destroyed || screen.writableEnded) return false
    if (data.length === 0) return true
    return new Promise((resolve) => {
      screen.write(data, (error) => {
        if (error && !isGone(error)) failure = error.message
        resolve(!error)
      })
    })
  }
  return {
    write: (bytes) => send(filter ? filter.push(decoder.decode(bytes, { stream: true })) : bytes),
    async end() {
      if (filter) await send(filter.push(decoder.decode()))
      if (filter?.coloured) await send('\u001b[0m')
    },
    get failure() {
      return failure
    },
  }
}

/** Tells if the reader exited, as `head` does, or an earlier failure closed the stream. */
const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_DESTROYED'

/** Sends what arrives until the end of it, or until the returned function is called; the stream is left paused. */
function sendInput(stdin: Io['stdin'], sink: InputSink): () => void {
  const stop = (): void => {
    stdin.off('data', send)
    stdin.off('end', end)
    stdin.off('error', end)
    stdin.pause()
  }
  const send = (chunk: Buffer | string): void => {
    const taken = sink.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    if (taken === false) stop()
    if (typeof taken === 'boolean') return
    stdin.pause()
    void taken.then((isTaken) => (isTaken ? resume() : stop()))
  }
  const resume = (): void => {
    if (stdin.listeners('data').includes(send)) stdin.resume()
  }
  const end = (): void => {
    stop()
    sink.end()
  }
  if (stdin.readableEnded || stdin.destroyed) sink.end()
  else stdin.on('data', send).on('end', end).on('error', end).resume()
  return stop
}
