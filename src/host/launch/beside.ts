import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Aside, AsideIo } from '../../engine/ports.js'
import type { Argv } from '../helper-process/mount-namespace.js'
import type { Broker, Passed } from './broker.js'
import type { Channel, Fifos } from './fifos.js'

const STATUS_FD = 3
const FIRST_FD = 10

/** A program of our own, with pipes to it, started by the broker. See `StartAside`. */
export function startBeside(
  argv: Argv,
  descriptors: readonly number[],
  io: AsideIo,
  { fifos, broker }: { readonly fifos: Fifos; readonly broker: Broker },
): Aside {
  const [into, out, err, told] = [fifos.input(), fifos.output(), fifos.output(), fifos.output()]
  const channels = [into, out, err, told]
  const input = new Socket({ fd: into.ours, readable: false, writable: true })
  const [output, errors, status] = [reader(out), reader(err), reader(told)]
  output.on('data', (chunk: Buffer) => io.onOutput(chunk.toString('latin1')))
  errors.on('data', (chunk: Buffer) => io.onError(chunk.toString('latin1')))
  input.on('error', () => input.destroy())
  void Promise.all([output, errors, status].map(closed)).then(() => {
    input.destroy()
    for (const channel of channels) channel.recycle()
    io.onEnd()
  })
  const onHandedOver = (): void => {
    for (const descriptor of [...channels.map(({ theirs }) => theirs), ...descriptors]) closeSync(descriptor)
  }
  const passed: readonly Passed[] = [
    { as: 0, ours: into.theirs, to: 'read' },
    { as: 1, ours: out.theirs, to: 'write' },
    { as: 2, ours: err.theirs, to: 'write' },
    { as: STATUS_FD, ours: told.theirs, to: 'write' },
    ...descriptors.map((ours, index) => ({ as: FIRST_FD + index, ours, to: 'read' }) as const),
  ]
  broker.start({ argv, passed, status: STATUS_FD, groups: [], onHandedOver }, () => status)
  return {
    write: (text) => void input.write(text),
    end: () => void input.end(),
    hold(held) {
      for (const socket of [input, output, errors, status]) {
        if (held) socket.ref()
        else socket.unref()
      }
    },
  }
}

function reader({ ours }: Channel): Socket {
  const socket = new Socket({ fd: ours, readable: true, writable: false })
  socket.on('error', () => socket.destroy())
  // Without a listener nothing is read, and the end is never seen.
  socket.resume()
  return socket
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))
