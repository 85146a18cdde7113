import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { HelperProcess } from '../../helper-process/helper-process.js'
import type { Argv } from '../../helper-process/mount-namespace.js'
import { hasSandboxCalls, perlHelper } from '../../helper-scripts/helper-script.js'
import { formatZygoteOrder, parseZygoteAnswer } from '../../helper-scripts/zygote-protocol.js'
import { type HelperSetup, helperOptions } from '../process/inherited-descriptors.js'
import type { PassedDescriptor } from '../process/passed-descriptor.js'
import { FIRST_CONTENT_FD, FIRST_FREE_FD, READY_FD, REQUEST_FD } from '../sandbox/descriptors.js'
import { anonymousFile } from '../streams/anonymous-file.js'
import type { Fifos } from '../streams/fifos.js'
import { Cloner } from './cloner.js'

const SCRIPT_FD = 3
/** Makes the linker resolve every function once, and not again in each fork. */
const VARIABLES = { LD_BIND_NOW: '1' } as const

export interface Order {
  readonly argv: Argv
  readonly passed: readonly PassedDescriptor[]
  /**
   * Descriptor of the program that receives, before the program's own lines, a line of JSON after all descriptors are
   * open.
   */
  readonly status: number
  /** Cgroup files by which a process enters the cgroups. */
  readonly cgroupFiles: readonly string[]
  /** Called once our descriptors are no longer needed: the program has its own, or will never start. */
  closeOurCopies(): void
}

const textOf = ({ argv, passed, status, cgroupFiles }: Order): string => {
  const opened = passed.map(({ as, ours, to }) => `${as} ${ours} ${to === 'read' ? 0 : 1}`)
  return [`${status}`, `${cgroupFiles.length}`, `${opened.length}`, ...cgroupFiles, ...opened, ...argv].join('\0')
}

/**
 * Runs a small process that starts bubblewrap and clones sandboxes. The engine's own fork takes time in proportion to
 * its heap, and bubblewrap needs a hundred system calls for each sandbox. The process ends with the engine, and every
 * sandbox with it.
 */
export class ZygoteHost extends HelperProcess {
  readonly #fifos: Fifos
  readonly #open = new Map<string, Cloner>()
  readonly #orders = new Map<string, () => void>()
  #next = 0

  private constructor(perl: string, fifos: Fifos, { engineVariable, inherited }: HelperSetup) {
    const { env, seal } = helperOptions(engineVariable, inherited)
    const numbers = [process.pid, inherited.devNull, FIRST_CONTENT_FD, REQUEST_FD, READY_FD, FIRST_FREE_FD]
    const argv = [perl, `/dev/fd/${SCRIPT_FD}`, process.arch, ...numbers.map(String)] as const
    super(argv, { env: { ...VARIABLES, ...env }, seal, files: [anonymousFile(Buffer.from(perlHelper('zygote.pl')))] })
    this.#fifos = fifos
  }

  /** Starts the helper. Returns null on an architecture whose system calls are unknown. */
  static start(perl: string, fifos: Fifos, setup: HelperSetup): ZygoteHost | null {
    return hasSandboxCalls() ? new ZygoteHost(perl, fifos, setup) : null
  }

  /**
   * Returns a cloner of the sandbox whose init has this pid. The sandbox must exist until the cloner is ready. `setup`:
   * see the script; `existing`: see `Cloner`.
   */
  clonerOf(pid: number, setup: Buffer, existing: ReadonlySet<string>): Cloner {
    const name = `${this.#next++}`
    const cloner = new Cloner(this.#fifos, anonymousFile(setup), existing, {
      template: name,
      order: (order) => this.send(formatZygoteOrder(order)),
      over: () => this.#open.delete(name),
    })
    this.#open.set(name, cloner)
    cloner.open(pid)
    if (!this.isUp) cloner.closeOurCopies()
    return cloner
  }

  /** Starts a program in the background. `open` opens our end of the status descriptor. */
  start(order: Order, open: () => Socket): Socket {
    const file = anonymousFile(Buffer.from(textOf(order)))
    const closeOurCopies = (): void => {
      // Another order may use the number by now.
      if (this.#orders.get(`${file}`) !== closeOurCopies) return
      this.#orders.delete(`${file}`)
      closeSync(file)
      order.closeOurCopies()
    }
    this.#orders.set(`${file}`, closeOurCopies)
    const { isUp } = this
    if (isUp) this.send(formatZygoteOrder({ verb: 'start', order: file }))
    const status = open()
    status.once('data', closeOurCopies)
    status.once('close', closeOurCopies)
    if (!isUp) closeOurCopies()
    return status
  }

  protected override read(line: string): void {
    const answer = parseZygoteAnswer(line)
    if (answer.kind === 'opened') this.#open.get(answer.template)?.closeOurCopies()
    // Our copies are closed then, and the program's status reports the failure.
    if (answer.kind === 'unstarted') this.#orders.get(`${answer.order}`)?.()
    if (answer.kind === 'refused') this.#open.get(answer.template)?.refused(answer.clone)
  }

  protected override ended(): void {
    for (const cloner of this.#open.values()) cloner.closeOurCopies()
    for (const closeOurCopies of [...this.#orders.values()]) closeOurCopies()
  }
}
