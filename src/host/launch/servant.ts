import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Argv } from '../helper-process/mount-namespace.js'
import { type InheritedDescriptors, sealed } from './inherited-descriptors.js'

/** What every servant of a launcher is started with. */
export interface Service {
  /** The variable by which it is recognised from outside. */
  readonly mark: readonly [string, string]
  readonly inherited: InheritedDescriptors
  /** What else is in its environment, and in that of what it starts. */
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * A small process that does for the engine what the engine cannot or should not. It takes orders a line at a time, says when it is ready,
 * ends when its input does, and does not keep the engine's process alive.
 */
export class Servant {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  #isUp = false
  #wasUp = false
  /** Settles when it is known whether it works here. */
  readonly ready: Promise<boolean>

  /** `files`: descriptors it gets from 3 on. `onGone` is called before `ready` settles. */
  constructor(
    [program, ...args]: Argv,
    { mark, inherited, variables }: Service,
    files: readonly number[],
    { onText, onGone }: { onText(text: string): void; onGone(): void },
  ) {
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...variables, ...Object.fromEntries([mark]) },
      stdio: sealed(['pipe', 'pipe', 'ignore', ...files], inherited.list(), inherited.nothing),
      detached: true,
    })
    this.#child = child
    this.#gone = new Promise((resolve) => {
      child.once('exit', resolve)
      child.once('error', () => resolve())
    })
    this.ready = new Promise((resolve) => {
      child.stdout?.once('data', () => {
        this.#isUp = true
        this.#wasUp = true
        resolve(true)
      })
      void this.#gone.then(() => {
        this.#isUp = false
        onGone()
        resolve(false)
      })
    })
    child.stdout?.on('data', (chunk: Buffer) => onText(chunk.toString('latin1')))
    child.stdin?.on('error', () => undefined)
    child.unref()
    for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** It worked, and is gone. */
  get hasDied(): boolean {
    return this.#wasUp && !this.#isUp
  }

  order(line: string): void {
    if (this.#isUp) this.#child.stdin?.write(`${line}\n`)
  }

  /** One that does not go when it has nothing to do is made to. */
  async close(patienceMs: number): Promise<void> {
    this.#child.stdin?.end()
    this.#child.ref()
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs)
    await this.#gone
    clearTimeout(stuck)
    // What it started may hold the other end for a moment longer.
    this.#child.stdout?.destroy()
  }
}

/** Whoever has a servant for its work. */
export abstract class Served {
  protected abstract readonly servant: Servant

  /** Settles when it is known whether it works here. */
  get ready(): Promise<boolean> {
    return this.servant.ready
  }

  get isUp(): boolean {
    return this.servant.isUp
  }

  /** It worked, and is gone. */
  get hasDied(): boolean {
    return this.servant.hasDied
  }
}
