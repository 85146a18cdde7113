import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { LaunchIo } from '../../engine/ports.js'
import { anonymousFile } from './anonymous-file.js'
import type { Channel, Fifos } from './fifos.js'

/** How long a pipe may stay open after every process of the command is dead before it is closed from our side. */
const DRAIN_MS = 1_000

/** The three standard streams of one command, from making the pipes to the last byte. */
export class Streams {
  /** What the child gets as descriptors 0, 1 and 2. */
  readonly stdio: readonly ['ignore' | number, number, number]
  readonly #channels: readonly Channel[]
  readonly #readers: readonly Socket[]
  readonly #input: Socket | null
  /** Text for stdin is a file: a pipe whose writer is gone could not be opened again as /dev/stdin. */
  readonly #text: number | null
  /** Settles when both output pipes have been read to their end. */
  readonly drained: Promise<void>

  constructor(fifos: Fifos, io: Pick<LaunchIo, 'stdin' | 'onChunk'>) {
    const [out, err] = [fifos.output(), fifos.output()]
    const into = io.stdin === 'open' ? fifos.input() : null
    this.#channels = into === null ? [out, err] : [out, err, into]
    this.#text = typeof io.stdin === 'object' ? anonymousFile(Buffer.from(io.stdin.text)) : null
    this.stdio = [this.#text ?? into?.theirs ?? 'ignore', out.theirs, err.theirs]
    this.#readers = [
      reader(out, (chunk) => io.onChunk('stdout', chunk)),
      reader(err, (chunk) => io.onChunk('stderr', chunk)),
    ]
    this.#input = into === null ? null : writer(into)
    this.drained = Promise.all(this.#readers.map(closed)).then(() => undefined)
  }

  /** The child has its copies; ours must go, or the end would never be seen. */
  handedOver(): void {
    for (const channel of this.#channels) closeSync(channel.theirs)
    if (this.#text !== null) closeSync(this.#text)
  }

  write(text: string): void {
    if (this.#input?.writable) this.#input.write(text)
  }

  endInput(): void {
    this.#input?.end()
  }

  /** Nothing of the command runs any more: take what is left in the pipes and close them. */
  async finish(): Promise<void> {
    this.#input?.destroy()
    let clean = true
    const late = setTimeout(() => {
      clean = false
      for (const socket of this.#readers) socket.destroy()
    }, DRAIN_MS)
    await this.drained
    clearTimeout(late)
    for (const channel of this.#channels) clean ? channel.recycle() : channel.abandon()
  }

  /** Nothing was started. */
  discard(): void {
    this.handedOver()
    this.#input?.destroy()
    for (const socket of this.#readers) socket.destroy()
    for (const channel of this.#channels) channel.abandon()
  }
}

function reader(channel: Channel, onChunk: (chunk: Buffer) => void): Socket {
  const socket = new Socket({ fd: channel.ours, readable: true, writable: false })
  socket.on('data', onChunk)
  socket.on('error', () => socket.destroy())
  return socket
}

function writer(channel: Channel): Socket {
  const socket = new Socket({ fd: channel.ours, readable: false, writable: true })
  // A command that does not read its input is no error.
  socket.on('error', () => socket.destroy())
  return socket
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))
