import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { anonymousFile } from './anonymous-file.js'
import { Copies } from './copies.js'
import type { Fifos } from './fifos.js'
import { type InheritedDescriptors, sealed } from './inherited-descriptors.js'
import { nurseryScript } from './nursery-script.js'

const SCRIPT_FD = 3
/** It has nothing to do but to go. */
const STUCK_MS = 3_000

/** What a nursery is started with. */
export interface NurserySetting {
  readonly perl: string
  /** The variable by which it is recognised from outside. */
  readonly mark: readonly [string, string]
  readonly inherited: InheritedDescriptors
  readonly fifos: Fifos
}

/**
 * A small process that makes walls out of templates: what bubblewrap builds by a hundred system calls is there already and only has to be
 * copied. It ends with the engine, and every wall with it.
 */
export class Nursery {
  readonly #child: ChildProcess
  readonly #fifos: Fifos
  readonly #open = new Map<string, Copies>()
  readonly #gone: Promise<void>
  #next = 0
  #rest = ''
  #isUp = false
  #hasDied = false
  /** Settles when it is known whether it works here. */
  readonly ready: Promise<boolean>

  private constructor({ perl, mark, inherited, fifos }: NurserySetting, script: string) {
    this.#fifos = fifos
    const file = anonymousFile(Buffer.from(script))
    this.#child = spawn(perl, [`/dev/fd/${SCRIPT_FD}`, `${process.pid}`, `${inherited.nothing}`], {
      cwd: '/',
      env: Object.fromEntries([mark]),
      stdio: sealed(['pipe', 'pipe', 'ignore', file], inherited.list(), inherited.nothing),
      detached: true,
    })
    closeSync(file)
    this.#gone = new Promise((resolve) => {
      this.#child.once('exit', resolve)
      this.#child.once('error', () => resolve())
    })
    this.ready = new Promise((resolve) => {
      this.#child.stdout?.once('data', () => {
        this.#isUp = true
        resolve(true)
      })
      void this.#gone.then(() => {
        this.#hasDied = this.#isUp
        this.#isUp = false
        for (const copies of this.#open.values()) copies.handOver()
        resolve(false)
      })
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')))
    this.#child.stdin?.on('error', () => undefined)
    this.#child.unref()
    for (const pipe of [this.#child.stdin, this.#child.stdout]) if (pipe instanceof Socket) pipe.unref()
  }

  /** Null where there is none for this kind of machine. */
  static start(setting: NurserySetting): Nursery | null {
    const script = nurseryScript()
    return script === null ? null : new Nursery(setting, script)
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** It worked, and is gone. */
  get hasDied(): boolean {
    return this.#hasDied
  }

  /** Walls like the one whose init has this pid, which must be there until the copies are ready. `setup`: see the script. */
  copiesOf(pid: number, setup: Buffer): Copies {
    const name = `${this.#next++}`
    const copies = new Copies(this.#fifos, anonymousFile(setup), {
      order: (words) => this.#order(words.replace(' ', ` ${name} `)),
      over: () => this.#open.delete(name),
    })
    this.#open.set(name, copies)
    copies.found(pid)
    if (!this.#isUp) copies.handOver()
    return copies
  }

  /** Ends every wall it has made. */
  async close(): Promise<void> {
    this.#child.stdin?.end()
    this.#child.ref()
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), STUCK_MS)
    await this.#gone
    clearTimeout(stuck)
  }

  #order(line: string): void {
    if (this.#isUp) this.#child.stdin?.write(`${line}\n`)
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
