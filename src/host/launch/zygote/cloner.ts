import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'
import { parseZygoteReport, type ZygoteOrder } from '../../helper-scripts/zygote-protocol.js'
import type { SandboxProcess } from '../sandbox/sandbox-process.js'
import { StatusReport } from '../sandbox/status-report.js'
import type { Channel, Fifos } from '../streams/fifos.js'
import type { Streams } from '../streams/standard-streams.js'

/** Properties of one clone besides its template's. */
export interface CloneOrder {
  readonly streams: Streams
  /** Our copy of the descriptor on which its shell waits. */
  readonly requestFd: number
  /** Secret by which its masks name it. */
  readonly secret: string
  /** Cgroup files by which a process enters the cgroups. */
  readonly cgroupFiles: readonly string[]
}

/** Exit status for SIGKILL. */
const KILLED = 137

interface Clone {
  readonly report: StatusReport
  /** Closes our copies of its descriptors, once. */
  closeOurCopies(): void
  over(): void
}

interface ZygoteClient {
  readonly template: string
  order(order: ZygoteOrder): void
  over(): void
}

/** Clones one template. The clones die with the process that makes them. */
export class Cloner {
  readonly #host: ZygoteClient
  readonly #channel: Channel
  readonly #socket: Socket
  readonly #clones = new Map<string, Clone>()
  readonly #own: number[]
  readonly #setup: number
  #held = 0
  #nextName = 1
  #rest = ''
  #isUp = false
  /** Settles once cloning works or has failed. */
  readonly ready: Promise<boolean>
  #settle: (isUp: boolean) => void = () => undefined
  /** Settles after the last clone has ended. */
  readonly over: Promise<void>

  /** Forbidden paths that existed when the template was built. */
  readonly existing: ReadonlySet<string>

  constructor(fifos: Fifos, setup: number, existing: ReadonlySet<string>, host: ZygoteClient) {
    this.existing = existing
    this.#host = host
    this.#channel = fifos.output()
    this.#setup = setup
    this.#own = [setup, this.#channel.theirs]
    this.ready = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#socket = new Socket({ fd: this.#channel.ours, readable: true, writable: false })
    this.#socket.on('error', () => this.#socket.destroy())
    const read = contained(
      (chunk: Buffer) => this.#read(chunk.toString('latin1')),
      () => this.#socket.destroy(),
    )
    this.#socket.on('data', read)
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

  /** Starts the zygote. Called by the zygote host only. */
  open(pid: number): void {
    const { template } = this.#host
    this.#host.order({ verb: 'open', template, pid, setup: this.#setup, report: this.#channel.theirs })
  }

  /** Closes our copies: the zygote host has opened its own, or never will. */
  closeOurCopies(): void {
    for (const fd of this.#own.splice(0)) closeSync(fd)
  }

  start({ streams, requestFd, secret, cgroupFiles }: CloneOrder): SandboxProcess {
    const name = `${this.#nextName++}`
    const report = new StatusReport()
    let isHeld = false
    const hold = (held: boolean): void => {
      if (held !== isHeld) this.#hold(held ? 1 : -1)
      isHeld = held
    }
    let isHandedOver = false
    const ended = new Promise<void>((resolve) => {
      this.#clones.set(name, {
        report,
        closeOurCopies: () => {
          if (!isHandedOver) {
            streams.closeOurCopies()
            closeSync(requestFd)
          }
          isHandedOver = true
        },
        over: () => {
          hold(false)
          resolve()
        },
      })
    })
    const descriptors = [...streams.passed.map(({ ours }) => ours), requestFd]
    const { template } = this.#host
    if (this.#isUp) this.#host.order({ verb: 'clone', template, clone: name, secret, descriptors, cgroupFiles })
    else this.refused(name)
    return { name, report, ended, pid: null, statusFd: null, hold }
  }

  /** Ends cloning. Running clones continue to their end. */
  close(): void {
    if (this.#isUp) this.#host.order({ verb: 'close', template: this.#host.template })
    this.#isUp = false
  }

  refused(name: string): void {
    this.#report(name, '{"failed": "its descriptors could not be opened"}')
    this.#report(name, '{"over": true}')
  }

  #hold(by: 1 | -1): void {
    this.#held += by
    // A closed socket would apply this only when it is opened again.
    if (this.#socket.destroyed) return
    if (this.#held > 0) this.#socket.ref()
    else this.#socket.unref()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const report = parseZygoteReport(line)
      if (report.kind === 'template') this.#nowUp()
      else if (report.kind === 'clone') this.#report(report.clone, report.status)
    }
  }

  #nowUp(): void {
    this.#isUp = true
    this.#settle(true)
  }

  #report(name: string, line: string): void {
    const clone = this.#clones.get(name)
    if (clone === undefined) return
    clone.closeOurCopies()
    clone.report.pushLine(line)
    if (!clone.report.isOver) return
    this.#clones.delete(name)
    clone.over()
  }

  #end(): void {
    this.#isUp = false
    this.#settle(false)
    this.closeOurCopies()
    for (const [name, { report }] of [...this.#clones]) {
      // Clones die with the process that made them.
      if (report.isWaiting) this.#report(name, `{"exit-code": ${KILLED}}`)
      else this.refused(name)
    }
    this.#channel.recycle()
    this.#host.over()
  }
}
