import { HelperProcess } from '../helper-process/helper-process.js'
import { anonymousFile } from './anonymous-file.js'
import { Copies } from './copies.js'
import type { Fifos } from './fifos.js'
import { helperOptions } from './inherited-descriptors.js'
import { nurseryScript } from './nursery-script.js'
import type { Service } from './servants.js'

const SCRIPT_FD = 3
/** Every function is looked up once, and not again by each process it forks. */
const VARIABLES = { LD_BIND_NOW: '1' } as const

/**
 * A small process that makes walls out of templates: what bubblewrap builds by a hundred system calls is there already and only has to be
 * copied. It ends with the engine, and every wall with it.
 */
export class Nursery extends HelperProcess {
  readonly #fifos: Fifos
  readonly #open = new Map<string, Copies>()
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

  protected override read(line: string): void {
    const [what, name = '', wall = ''] = line.split(' ')
    if (what === 'opened') this.#open.get(name)?.handOver()
    if (what === 'refused') this.#open.get(name)?.refused(wall)
  }

  protected override ended(): void {
    for (const copies of this.#open.values()) copies.handOver()
  }
}
