import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Channel, Fifos } from './fifos.js'
import { StatusReport } from './status-report.js'
import type { Streams } from './streams.js'
import type { WallProcess } from './wall-process.js'

/** What one wall is made with besides what its template has. */
export interface CopyOrder {
  readonly streams: Streams
  /** Our copy of the descriptor on which its shell waits. */
  readonly request: number
  /** By which its masks name it. */
  readonly secret: string
  /** Files of control groups through which a process enters them. */
  readonly groups: readonly string[]
}

/** As a shell tells of a SIGKILL. */
const KILLED = 137

interface Wall {
  readonly report: StatusReport
  /** Closes our copies of its descriptors, once. */
  handOver(): void
  over(): void
}

/** How the nursery is told. `order`: the template's name is put after the first word. */
interface Desk {
  order(words: string): void
  over(): void
}

/** Makes walls that are all like one template. They are over at the latest when the process is that makes them. */
export class Copies {
  readonly #desk: Desk
  readonly #channel: Channel
  readonly #socket: Socket
  readonly #walls = new Map<string, Wall>()
  readonly #own: number[]
  readonly #setup: number
  #held = 0
  #next = 1
  #rest = ''
  #isUp = false
  /** Settles when it is known whether copies can be made. */
  readonly ready: Promise<boolean>
  #settle: (isUp: boolean) => void = () => undefined
  /** Settles when the last wall is over and no other can be made. */
  readonly over: Promise<void>

  /** Of the places that must not come to be, those that were there when the template was built. */
  readonly existing: ReadonlySet<string>

  constructor(fifos: Fifos, setup: number, existing: ReadonlySet<string>, desk: Desk) {
    this.existing = existing
    this.#desk = desk
    this.#channel = fifos.output()
    this.#setup = setup
    this.#own = [setup, this.#channel.theirs]
    this.ready = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#socket = new Socket({ fd: this.#channel.ours, readable: true, writable: false })
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')))
    this.over = new Promise((resolve) =>
      this.#socket.once('close', () => {
        this.#end()
        resolve()
      }),
    )
    this.#socket.unref()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** For the nursery alone. */
  found(pid: number): void {
    this.#desk.order(`open ${pid} ${this.#setup} ${this.#channel.theirs}`)
  }

  /** It has opened what it was told of, or never will. */
  handOver(): void {
    for (const fd of this.#own.splice(0)) closeSync(fd)
  }

  start({ streams, request, secret, groups }: CopyOrder): WallProcess {
    const name = `${this.#next++}`
    const report = new StatusReport()
    let isHeld = false
    const hold = (held: boolean): void => {
      if (held !== isHeld) this.#hold(held ? 1 : -1)
      isHeld = held
    }
    let isHandedOver = false
    const ended = new Promise<void>((resolve) => {
      this.#walls.set(name, {
        report,
        handOver: () => {
          if (!isHandedOver) {
            streams.handedOver()
            closeSync(request)
          }
          isHandedOver = true
        },
        over: () => {
          hold(false)
          resolve()
        },
      })
    })
    const fds = [...streams.passed.map(({ ours }) => ours), request]
    const doors = groups.map((path) => Buffer.from(path).toString('hex'))
    if (this.#isUp) this.#desk.order(['wall', name, secret, ...fds, ...doors].join(' '))
    else this.refused(name)
    return { name, report, ended, pid: null, hold }
  }

  /** No more are made. Those there are may be used to their end. */
  close(): void {
    if (this.#isUp) this.#desk.order('close ')
    this.#isUp = false
  }

  refused(name: string): void {
    this.#tell(name, '{"failed": "its descriptors could not be opened"}')
    this.#tell(name, '{"over": true}')
  }

  #hold(by: 1 | -1): void {
    this.#held += by
    // One that is closed would only remember to do it when it is opened.
    if (this.#socket.destroyed) return
    if (this.#held > 0) this.#socket.ref()
    else this.#socket.unref()
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const space = line.indexOf(' ')
      this.#tell(line.slice(0, space), line.slice(space + 1))
    }
  }

  #tell(name: string, line: string): void {
    if (name === '0') {
      this.#isUp = true
      this.#settle(true)
      return
    }
    const wall = this.#walls.get(name)
    if (wall === undefined) return
    wall.handOver()
    wall.report.tell(line)
    if (!wall.report.isOver) return
    this.#walls.delete(name)
    wall.over()
  }

  #end(): void {
    this.#isUp = false
    this.#settle(false)
    this.handOver()
    for (const [name, { report }] of [...this.#walls]) {
      // They die with who made them.
      if (report.isWaiting) this.#tell(name, `{"exit-code": ${KILLED}}`)
      else this.refused(name)
    }
    this.#channel.recycle()
    this.#desk.over()
  }
}
