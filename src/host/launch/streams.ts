import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { InputSink } from '../../core/model/relay.js'
import type { LaunchIo } from '../../engine/ports.js'
import { anonymousFile } from './anonymous-file.js'
import type { Channel, Fifos } from './fifos.js'
import type { Passed } from './nursery.js'
import { closed } from './wall-process.js'

/** `later`: what there is to read is only known when the command is; see `provide`. */
export type Input = LaunchIo['stdin'] | 'later'

type Connect = (sink: InputSink) => () => void

/** How long a pipe may stay open after every process of the command is dead before it is closed from our side. */
const DRAIN_MS = 1_000

/** How long a process may wait that opens /dev/stdin after the input has ended. */
const REOPEN_MS = 20

/** The three standard streams of one command, from making the pipes to the last byte. */
export class Streams {
  /** What the child gets as descriptors 0, 1 and 2. */
  readonly stdio: readonly ['ignore' | number, number, number]
  readonly #channels: readonly Channel[]
  readonly #outputs: readonly (readonly [Channel, 'stdout' | 'stderr'])[]
  readonly #onChunk: LaunchIo['onChunk']
  #readers: readonly Socket[] = []
  readonly #input: Socket | null
  /** Text for stdin is a file: a pipe whose writer is gone could not be opened again as /dev/stdin. */
  readonly #text: number | null
  #connect: Connect | null
  #disconnect: () => void = () => undefined
  readonly #nothing: number
  #late: number | null
  readonly #touch: () => void
  #reopening: NodeJS.Timeout | undefined
  #isHandedOver = false
  /** Chunks that the reader has not taken yet. */
  readonly #untaken = new Set<Promise<unknown>>()
  /** Settles when both output pipes have been read to their end. */
  readonly drained: Promise<void>
  #onDrained: (drained: Promise<unknown>) => void = () => undefined

  /** Nothing is read before `listen`. `nothing`: an open /dev/null. */
  constructor(fifos: Fifos, io: Pick<LaunchIo, 'onChunk' | 'merged'> & { readonly stdin: Input }, nothing = -1) {
    const out = fifos.output()
    const err = io.merged ? out : fifos.output()
    const connect = typeof io.stdin === 'object' && 'connect' in io.stdin ? io.stdin.connect : null
    const into = io.stdin === 'open' || connect !== null ? fifos.input() : null
    this.#connect = connect
    this.#channels = [...new Set([out, err]), ...(into === null ? [] : [into])]
    this.#nothing = nothing
    const text = textOf(io.stdin)
    this.#text = text === null ? null : anonymousFile(Buffer.from(text))
    this.#late = io.stdin === 'later' ? openSync(`/proc/self/fd/${this.#text}`, constants.O_WRONLY) : null
    this.stdio = [this.#text ?? into?.theirs ?? 'ignore', out.theirs, err.theirs]
    this.#outputs = io.merged
      ? [[out, 'stdout']]
      : [
          [out, 'stdout'],
          [err, 'stderr'],
        ]
    this.#onChunk = io.onChunk
    this.#input = into === null ? null : writer(into)
    this.#touch = () => into?.touch()
    this.#input?.once('close', this.#letReopen)
    this.drained = new Promise<unknown>((resolve) => {
      this.#onDrained = resolve
    }).then(() => undefined)
  }

  /** To be called when the command has been started, or is about to be by somebody else: until then there is nothing to hear, and it costs time. */
  listen(): void {
    this.#readers = this.#outputs.map(([channel, name]) => this.#reader(channel, name))
    this.#onDrained(Promise.all(this.#readers.map(closed)))
  }

  /** The same as `stdio`, for the nursery. */
  get passed(): readonly Passed[] {
    const [input, out, err] = this.stdio
    return [
      { as: 0, ours: input === 'ignore' ? this.#nothing : input, to: 'read' },
      { as: 1, ours: out, to: 'write' },
      { as: 2, ours: err, to: 'write' },
    ]
  }

  /** What the command will read, where that was to be told later. */
  provide(text: string): void {
    const bytes = Buffer.from(text)
    for (let written = 0; this.#late !== null && written < bytes.length; )
      written += writeSync(this.#late, bytes, written)
    this.#endLate()
  }

  /** Whether they keep the engine's process alive. */
  hold(held: boolean): void {
    for (const socket of this.#readers) {
      if (held) socket.ref()
      else socket.unref()
    }
  }

  /** The child has its copies; ours must go, or the end would never be seen. */
  handedOver(): void {
    if (this.#isHandedOver) return
    this.#isHandedOver = true
    for (const channel of this.#channels) closeSync(channel.theirs)
    if (this.#text !== null) closeSync(this.#text)
    // Not before: a FIFO whose writer is closed already cannot be opened for reading.
    if (this.#input !== null && this.#connect !== null) this.#disconnect = this.#connect(sinkOf(this.#input))
  }

  write(text: string): void {
    if (this.#input?.writable) this.#input.write(text)
  }

  endInput(): void {
    this.#input?.end()
  }

  /** Takes the rest of the output after the command's death and closes the pipes. `isPatient`: waits for a slow reader. */
  async finish(isPatient = false): Promise<void> {
    this.#endLate()
    this.#disconnect()
    this.#endInputPipe()
    let clean = true
    const late = setInterval(() => {
      if (isPatient && this.#untaken.size > 0) return
      clean = false
      for (const socket of this.#readers) socket.destroy()
    }, DRAIN_MS)
    await this.drained
    // A paused stream may come to its end before its last chunk is taken.
    if (isPatient) await Promise.all(this.#untaken)
    clearInterval(late)
    for (const channel of this.#channels) clean ? channel.recycle() : channel.abandon()
  }

  /** Nothing was started. */
  discard(): void {
    this.#connect = null
    this.handedOver()
    this.#endInputPipe()
    for (const [{ ours }] of this.#outputs) closeSync(ours)
    for (const channel of this.#channels) channel.abandon()
    this.#endLate()
  }

  #reader(channel: Channel, name: 'stdout' | 'stderr'): Socket {
    const socket = new Socket({ fd: channel.ours, readable: true, writable: false })
    socket.on('data', (chunk: Buffer) => {
      const taken = this.#onChunk(name, chunk)
      if (taken === false) socket.destroy()
      if (taken instanceof Promise) this.#pause(socket, taken)
    })
    socket.on('error', () => socket.destroy())
    return socket
  }

  #pause(socket: Socket, taken: Promise<unknown>): void {
    socket.pause()
    const gone = taken
      .catch(() => false)
      .then((isTaken) => {
        this.#untaken.delete(gone)
        if (isTaken === false) socket.destroy()
        else socket.resume()
      })
    this.#untaken.add(gone)
  }

  /** A FIFO differs from a pipe: opening it to read waits for a writer, although the input has ended. */
  readonly #letReopen = (): void => {
    this.#reopening = setInterval(this.#touch, REOPEN_MS)
  }

  #endInputPipe(): void {
    this.#input?.off('close', this.#letReopen).destroy()
    clearInterval(this.#reopening)
  }

  #endLate(): void {
    if (this.#late !== null) closeSync(this.#late)
    this.#late = null
  }
}

function textOf(stdin: Input): string | null {
  if (typeof stdin === 'object') return 'text' in stdin ? stdin.text : null
  return stdin === 'later' ? '' : null
}

/** Hands bytes to the command's standard input; a promise waits until the command has read some. */
const sinkOf = (input: Socket): InputSink => ({
  write: (bytes) => {
    if (!input.writable) return false
    if (input.write(bytes)) return true
    return new Promise((resolve) => {
      const settle = (): void => {
        input.off('drain', settle).off('close', settle)
        resolve(input.writable)
      }
      input.on('drain', settle).on('close', settle)
    })
  },
  end: () => void input.end(),
})

function writer(channel: Channel): Socket {
  const socket = new Socket({ fd: channel.ours, readable: false, writable: true })
  // A command that does not read its input is no error.
  socket.on('error', () => socket.destroy())
  return socket
}
