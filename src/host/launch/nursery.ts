import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { HelperProcess } from '../helper-process/helper-process.js'
import type { Argv } from '../helper-process/mount-namespace.js'
import { anonymousFile } from './anonymous-file.js'
import { Copies } from './copies.js'
import type { Fifos } from './fifos.js'
import { helperOptions } from './inherited-descriptors.js'
import { nurseryScript } from './nursery-script.js'
import type { Service } from './servants.js'

const SCRIPT_FD = 3
/** Every function is looked up once, and not again by each process it forks. */
const VARIABLES = { LD_BIND_NOW: '1' } as const

/** One descriptor of a program to be started: its number there, and which of ours is opened anew for it. */
export interface Passed {
  readonly as: number
  readonly ours: number
  readonly to: 'read' | 'write'
}

export interface Order {
  readonly argv: Argv
  readonly passed: readonly Passed[]
  /** On which of the program's descriptors it is told that everything is open: a line of JSON, before the program's own. */
  readonly status: number
  /** Files of control groups through which a process enters them. */
  readonly groups: readonly string[]
  /** Called when our descriptors are no longer needed: the program has its own, or will never start. */
  onHandedOver(): void
}

const textOf = ({ argv, passed, status, groups }: Order): string => {
  const opened = passed.map(({ as, ours, to }) => `${as} ${ours} ${to === 'read' ? 0 : 1}`)
  return [`${status}`, `${groups.length}`, `${opened.length}`, ...groups, ...opened, ...argv].join('\0')
}

/**
 * A small process that starts bubblewrap for the engine, whose own fork takes as long as its heap is large, and makes sandboxes out of
 * templates: those that bubblewrap builds by a hundred system calls are only copied. It ends with the engine, and every sandbox with it.
 */
export class Nursery extends HelperProcess {
  readonly #fifos: Fifos
  readonly #open = new Map<string, Copies>()
  readonly #orders = new Map<string, () => void>()
  #next = 0

  private constructor(perl: string, script: string, fifos: Fifos, { mark, inherited }: Service) {
    const { env, seal } = helperOptions(mark, inherited)
    const argv = [perl, `/dev/fd/${SCRIPT_FD}`, `${process.pid}`, `${inherited.nothing}`] as const
    super(argv, { env: { ...VARIABLES, ...env }, seal, files: [anonymousFile(Buffer.from(script))] })
    this.#fifos = fifos
  }

  /** Null where there is none for this kind of machine. */
  static start(perl: string, fifos: Fifos, service: Service): Nursery | null {
    const script = nurseryScript()
    return script === null ? null : new Nursery(perl, script, fifos, service)
  }

  /** Walls like the one whose init has this pid, which must be there until the copies are ready. `setup`: see the script; `existing`: see `Copies`. */
  copiesOf(pid: number, setup: Buffer, existing: ReadonlySet<string>): Copies {
    const name = `${this.#next++}`
    const copies = new Copies(this.#fifos, anonymousFile(setup), existing, {
      order: (words) => this.send(words.replace(' ', ` ${name} `)),
      over: () => this.#open.delete(name),
    })
    this.#open.set(name, copies)
    copies.found(pid)
    if (!this.isUp) copies.handOver()
    return copies
  }

  /** Starts a program, in the background. `open` gives our end of the status descriptor. */
  start(order: Order, open: () => Socket): Socket {
    const file = anonymousFile(Buffer.from(textOf(order)))
    const handOver = (): void => {
      // Its number may be another order's by now.
      if (this.#orders.get(`${file}`) !== handOver) return
      this.#orders.delete(`${file}`)
      closeSync(file)
      order.onHandedOver()
    }
    this.#orders.set(`${file}`, handOver)
    const { isUp } = this
    if (isUp) this.send(`start ${file}`)
    const status = open()
    status.once('data', handOver)
    status.once('close', handOver)
    if (!isUp) handOver()
    return status
  }

  protected override read(line: string): void {
    const [what, name = '', wall = ''] = line.split(' ')
    if (what === 'opened') this.#open.get(name)?.handOver()
    // Once our own copies are closed, its status tells.
    if (what === 'unstarted') this.#orders.get(name)?.()
    if (what === 'refused') this.#open.get(name)?.refused(wall)
  }

  protected override ended(): void {
    for (const copies of this.#open.values()) copies.handOver()
    for (const handOver of [...this.#orders.values()]) handOver()
  }
}
