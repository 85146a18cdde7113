import { existsSync } from 'node:fs'
import { HelperProcess } from '../../helper-process/helper-process.js'
import { perlHelper } from '../../helper-scripts/helper-script.js'
import { type HelperSetup, helperOptions } from '../process/inherited-descriptors.js'
import { parseHoldAnswer } from './hold-answer.js'

/** Longest time that a command waits for a helper that does not answer. Later commands do not wait at all. */
const PATIENCE_MS = 1_000

class Holder extends HelperProcess {
  #isStuck = false
  readonly #asked = new Map<number, (isHeld: boolean) => void>()

  ask(pid: number, fd: number): Promise<boolean> {
    if (this.isGone || this.#isStuck) return Promise.resolve(false)
    return new Promise((resolve) => {
      const stuck = setTimeout(() => {
        this.#isStuck = true
        resolve(false)
      }, PATIENCE_MS)
      this.#asked.set(pid, (isHeld) => {
        clearTimeout(stuck)
        resolve(isHeld)
      })
      this.send(`hold ${pid} ${fd}`)
    })
  }

  protected override read(line: string): void {
    const answer = parseHoldAnswer(line)
    if (answer === null) return
    this.#asked.get(answer.pid)?.(answer.isHeld)
    this.#asked.delete(answer.pid)
  }

  protected override ended(): void {
    for (const resolve of this.#asked.values()) resolve(false)
    this.#asked.clear()
  }
}

/**
 * Stops bubblewrap when it reports the exit status, before it ends and takes all processes of the sandbox with it. So
 * the engine can see the processes left running. Without Perl nothing is stopped.
 */
export class ExitHold {
  readonly #perl: string
  readonly #setup: HelperSetup
  #holder: Holder | null = null

  constructor(perl: string, setup: HelperSetup) {
    this.#perl = perl
    this.#setup = setup
  }

  /** Starts the helper process if it does not run yet. */
  start(): void {
    if (this.#holder?.isGone) this.#holder = null
    if (this.#holder !== null || !existsSync(this.#perl)) return
    const { env, seal } = helperOptions(this.#setup.engineVariable, this.#setup.inherited)
    this.#holder = new Holder([this.#perl, '-e', perlHelper('exit-hold.pl'), process.arch, `${process.pid}`], {
      env,
      seal,
    })
  }

  /** Holds the process that writes to the pipe of which `fd` is our end. Returns false if that is not possible. */
  async hold(pid: number, fd: number): Promise<boolean> {
    return (await this.#holder?.ask(pid, fd)) ?? false
  }

  /** Forgets a process that has ended. */
  release(pid: number): void {
    this.#holder?.send(`release ${pid}`)
  }

  async close(): Promise<void> {
    await this.#holder?.close()
    this.#holder = null
  }
}
