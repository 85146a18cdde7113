import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HelperProcess } from '../../helper-process/helper-process.js'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { groupOf } from './process-tree.js'

/** Environment variable that identifies every process of an engine, in /proc/<pid>/environ. */
const ENGINE_VARIABLE = 'CORDON_ENGINE'
/** Digits of the engine's and of the command's part of a process tag. Together they fit RLIMIT_RTTIME. */
const ENGINE_DIGITS = 10
const TASK_DIGITS = 8

/**
 * Runs one small process for each launcher, started before the first command. It ends all commands even after kill -9
 * of the engine.
 */
export class Watchdog {
  readonly engineVariable: readonly [string, string] = [ENGINE_VARIABLE, randomUUID()]
  /** Directory of short-lived files. The watchdog removes it when the engine dies. */
  readonly directory = join(tmpdir(), `cordon-${this.engineVariable[1]}`)
  readonly #tag = `${randomInt(10 ** (ENGINE_DIGITS - 1), 9 * 10 ** (ENGINE_DIGITS - 1))}`
  #tagged = 0
  #process: HelperProcess | null = null

  /** Returns a new process tag for one command; see `ProcessTag`. */
  newTag(): string {
    this.#tagged = (this.#tagged + 1) % 10 ** TASK_DIGITS
    return this.#tag + `${this.#tagged}`.padStart(TASK_DIGITS, '0')
  }

  /** Starts the watchdog at the first call. */
  start(): void {
    if (this.#process !== null) return
    const tags = `${this.#tag}[0-9]{${TASK_DIGITS}} `
    const words = [
      this.engineVariable.join('='),
      tags,
      this.directory,
      `${process.pid}`,
      `${groupOf(process.pid) ?? ''}`,
    ]
    const argv = [
      '/bin/bash',
      '--norc',
      '--noprofile',
      '-c',
      helperScript('watchdog.bash'),
      'cordon-watchdog',
      ...words,
    ] as const
    this.#process = new HelperProcess(argv, { env: { PATH: '/usr/bin:/bin' } })
  }

  /** Ends the watchdog, after all commands have ended. */
  async release(): Promise<void> {
    const helper = this.#process
    this.#process = null
    helper?.send('bye')
    await helper?.close()
  }
}
