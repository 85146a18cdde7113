import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'
import type { InputSink } from '../../../core/model/basics/relay.js'
import type { LaunchIo } from '../../../engine/ports/ports.js'
import type { PassedDescriptor } from '../process/passed-descriptor.js'
import { anonymousFile } from './anonymous-file.js'
import type { Channel, Fifos } from './fifos.js'

/** Resolves after a socket has closed. */
export const closed = (status: Socket): Promise<void> => new Promise((resolve) => status.once('close', () => resolve()))

/** `later`: the input is known only together with the command; see `provide`. */
export type Input = LaunchIo['stdin'] | 'later'

type Connect = (sink: InputSink) => () => void

const ignore = (): void => undefined

/** Longest time that a pipe stays open after all processes of the command have ended. */
const DRAIN_MS = 1_000

/** Longest wait of a process that opens /dev/stdin after the end of the input. */
const REOPEN_MS = 20

/** Standard streams of one command, from making the pipes to the last byte. */
export class Streams {
  /** Descriptors 0, 1 and 2 of the child. */
  readonly stdio: readonly ['ignore' | number, number, number]
  readonly #channels: readonly Channel[]
  readonly #outputs: readonly (readonly [Channel, 'stdout' | 'stderr'])[]
  readonly #onChunk: LaunchIo['onChunk']
  #readers: readonly Socket[] = []
  readonly #input: Socket | null
  /** File with the text for stdin. A pipe without a writer could not be opened again as /dev/stdin. */
  readonly #text: number | null
  #connect: Connect | null
  #disconnect: () => void = () => undefined
  readonly #devNull: number
  #late: number | null
  readonly #touch: () => void
  #reopening: NodeJS.Timeout | undefined
  #isHandedOver = false
  /** Chunks that the consumer has not taken yet. */
  readonly #untaken = new Set<Promise<unknown>>()
  /** Settles after both output pipes have been read to their end. */
  readonly drained: Promise<void>
  #onDrained: (drained: Promise<unknown>) => void = () => undefined

  /** Nothing is read before `listen`. `devNull` is an open /dev/null. */
  constructor(fifos: Fifos, io: Pick<LaunchIo, 'onChunk' | 'merged'> & { readonly stdin: Input }, devNull = -1) {
    const out = fifos.output()
    const err = io.merged ? out : fifos.output()
    const connect = typeof io.stdin === 'object' && 'connect' in io.stdin ? io.stdin.connect : null
    const into = io.stdin === 'open' || connect !== null ? fifos.input() : null
    this.#connect = connect
    this.#channels = [...new Set([out, err]), ...(into === null ? [] : [into])]
    this.#devNull = devNull
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

  /** Starts reading. Call it when the command starts: reading earlier yields nothing and costs time. */
  listen(): void {
    this.#readers = this.#outputs.map(([channel, name]) => this.#reader(channel, name))
    this.#onDrained(Promise.all(this.#readers.map(closed)))
  }

  /** The descriptors of `stdio`, for the zygote host. */
  get passed(): readonly PassedDescriptor[] {
    const [input, out, err] = this.stdio
    return [
      { as: 0, ours: input === 'ignore' ? this.#devNull : input, to: 'read' },
      { as: 1, ours: out, to: 'write' },
      { as: 2, ours: err, to: 'write' },
    ]
  }

  /** Provides the input if `stdin` is `later`. */
  provide(text: string): void {
    const bytes = Buffer.from(text)
    for (let written = 0; this.#late !== null && written < bytes.length; )
      written += writeSync(this.#late, bytes, written)
    this.#endLate()
  }

  /** Decides if the streams keep the engine's process alive. */
  hold(held: boolean): void {
    for (const socket of this.#readers) {
      if (held) socket.ref()
      else socket.unref()
    }
  }

  /** Closes our copies of the child's descriptors. With them open, the end of the streams would never come. */
  closeOurCopies(): void {
    if (this.#isHandedOver) return
    this.#isHandedOver = true
    for (const channel of this.#channels) closeSync(channel.theirs)
    if (this.#text !== null) closeSync(this.#text)
    // It needs an open writer: opening a FIFO without a writer for reading would block.
    if (this.#input !== null && this.#connect !== null) this.#disconnect = this.#connect(sinkOf(this.#input))
  }

  write(text: string): void {
    if (this.#input?.writable) this.#input.write(text)
  }

  endInput(): void {
    this.#input?.end()
  }

  /**
   * Reads the rest of the output after the command's death and closes the pipes. `isPatient` waits for a slow consumer.
   */
  async finish(isPatient = false): Promise<void> {
    this.#endLate()
    this.#disconnect()
    this.#endInputPipe()
    let clean = true
    const giveUp = contained(() => {
      if (isPatient && this.#untaken.size > 0) return
      clean = false
      for (const socket of this.#readers) socket.destroy()
    }, ignore)
    const late = setInterval(giveUp, DRAIN_MS)
    await this.drained
    // A paused stream may end before its last chunk is taken.
    if (isPatient) await Promise.all(this.#untaken)
    clearInterval(late)
    for (const channel of this.#channels) clean ? channel.recycle() : channel.abandon()
  }

  /** Closes everything if no child was started. */
  discard(): void {
    this.#connect = null
    this.closeOurCopies()
    this.#endInputPipe()
    for (const [{ ours }] of this.#outputs) closeSync(ours)
    for (const channel of this.#channels) channel.abandon()
    this.#endLate()
  }

  #reader(channel: Channel, name: 'stdout' | 'stderr'): Socket {
    const socket = new Socket({ fd: channel.ours, readable: true, writable: false })
    const hear = contained(
      (chunk: Buffer) => {
        const taken = this.#onChunk(name, chunk)
        if (taken === false) socket.destroy()
        if (taken instanceof Promise) this.#pause(socket, taken)
      },
      () => socket.destroy(),
    )
    socket.on('data', hear)
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

  /**
   * Opens the writing end for readers that open a FIFO again. Unlike a pipe, a FIFO makes them wait for a writer
   * although the input has ended.
   */
  readonly #letReopen = (): void => {
    this.#reopening = setInterval(contained(this.#touch, ignore), REOPEN_MS)
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

/** Writes bytes to the command's standard input. A returned promise waits until the command has read some. */
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
  // A command may ignore its input.
  socket.on('error', () => socket.destroy())
  return socket
}
