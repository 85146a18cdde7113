import { closeSync } from 'node:fs'
import { anonymousFile } from './anonymous-file.js'
import { Copies } from './copies.js'
import type { Fifos } from './fifos.js'
import { nurseryScript } from './nursery-script.js'
import { Servant, Served, type Service } from './servant.js'

const SCRIPT_FD = 3
/** Every function is looked up once, and not again by each process it forks. */
const VARIABLES = { LD_BIND_NOW: '1' } as const
/** It has nothing to do but to go. */
const STUCK_MS = 3_000

/**
 * A small process that makes walls out of templates: what bubblewrap builds by a hundred system calls is there already and only has to be
 * copied. It ends with the engine, and every wall with it.
 */
export class Nursery extends Served {
  protected readonly servant: Servant
  readonly #fifos: Fifos
  readonly #open = new Map<string, Copies>()
  #next = 0
  #rest = ''

  private constructor(perl: string, script: string, fifos: Fifos, service: Service) {
    super()
    this.#fifos = fifos
    const file = anonymousFile(Buffer.from(script))
    const argv = [perl, `/dev/fd/${SCRIPT_FD}`, `${process.pid}`, `${service.inherited.nothing}`] as const
    this.servant = new Servant(argv, { ...service, variables: VARIABLES }, [file], {
      onText: (text) => this.#hear(text),
      onGone: () => {
        for (const copies of this.#open.values()) copies.handOver()
      },
    })
    closeSync(file)
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
      order: (words) => this.servant.order(words.replace(' ', ` ${name} `)),
      over: () => this.#open.delete(name),
    })
    this.#open.set(name, copies)
    copies.found(pid)
    if (!this.isUp) copies.handOver()
    return copies
  }

  /** Ends every wall it has made. */
  close(): Promise<void> {
    return this.servant.close(STUCK_MS)
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const [what, name = '', wall = ''] of lines.map((line) => line.split(' '))) {
      if (what === 'opened') this.#open.get(name)?.handOver()
      if (what === 'refused') this.#open.get(name)?.refused(wall)
    }
  }
}
