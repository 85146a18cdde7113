import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { contained } from '../../core/model/basics/contained.js'
import type { Argv } from './mount-namespace.js'

type Stdio = ('pipe' | 'ignore' | number)[]

export interface HelperOptions {
  readonly env: Readonly<Record<string, string>>
  /** Descriptors it gets from 3 on. They are closed here. */
  readonly files?: readonly number[]
  /** Replaces other open descriptors in its stdio. */
  readonly seal?: (stdio: Stdio) => Stdio
}

/** Time that a helper gets to end by itself. */
const PATIENCE_MS = 3_000

/**
 * Runs a small process that does for the engine what the engine cannot or should not do itself. It reads and writes
 * lines, ends with its input, and does not keep the engine's process alive.
 */
export class HelperProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  #rest = ''
  #wasUp = false
  #isGone = false
  /** Resolves to true after its first output, or to false if it ends before. */
  readonly ready: Promise<boolean>

  constructor([program, ...args]: Argv, { env, files = [], seal = (stdio) => stdio }: HelperOptions) {
    const child = spawn(program, args, {
      cwd: '/',
      env,
      stdio: seal(['pipe', 'pipe', 'ignore', ...files]),
      detached: true,
    })
    for (const file of files) closeSync(file)
    this.#child = child
    this.#gone = new Promise((resolve) => {
      child.once('exit', resolve)
      child.once('error', () => resolve())
    })
    let up: (isUp: boolean) => void = () => undefined
    this.ready = new Promise((resolve) => {
      up = resolve
      void this.#gone.then(() => {
        this.#isGone = true
        this.ended()
        resolve(false)
      })
    })
    const hear = contained(
      (chunk: Buffer) => {
        this.#wasUp = true
        up(true)
        this.#read(chunk.toString('latin1'))
      },
      () => child.kill('SIGKILL'),
    )
    child.stdout?.on('data', hear)
    child.stdin?.on('error', () => undefined)
    child.unref()
    this.hold(false)
  }

  /** Called with each line it writes. */
  protected read(_line: string): void {}

  /** Called when it has ended, before `ready` settles. */
  protected ended(): void {}

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isUp(): boolean {
    return this.#wasUp && !this.#isGone
  }

  /** True if it worked and has ended. */
  get hasDied(): boolean {
    return this.#wasUp && this.#isGone
  }

  get isGone(): boolean {
    return this.#isGone
  }

  send(line: string): void {
    if (!this.#isGone) this.#child.stdin?.write(`${line}\n`)
  }

  /** Decides if its pipes keep the engine's process alive. */
  hold(held: boolean): void {
    for (const pipe of [this.#child.stdin, this.#child.stdout] as (Socket | null)[]) {
      if (held) pipe?.ref()
      else pipe?.unref()
    }
  }

  /** Ends its input, so that it ends. */
  end(): void {
    this.#child.stdin?.end()
  }

  /** Ends its input, and kills it if it does not end. */
  async close(patienceMs = PATIENCE_MS): Promise<void> {
    this.end()
    this.#child.ref()
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs)
    await this.#gone
    clearTimeout(stuck)
    // Its children may hold the other end for a moment longer.
    this.#child.stdout?.destroy()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.read(line)
  }
}
