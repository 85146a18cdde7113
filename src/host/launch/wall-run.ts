import { setTimeout as sleep, setImmediate as soon } from 'node:timers/promises'
import { descendantsOf, identify, type ProcessId, sendSignal, signalProcess } from './process-tree.js'
import type { StatusReport } from './status-report.js'
import type { Victim } from './stopper.js'
import type { WallProcess } from './wall-process.js'

/** Building a wall takes milliseconds. If the init's pid is not known after this long, bubblewrap hangs, or the whole machine does. */
const STUCK_MS = 3_000
const LOOKS = 40

/**
 * One bubblewrap process and the namespace it builds. It is killed by the pid of the namespace's init: killing bubblewrap itself in
 * its first milliseconds leaves the command running, killing the init takes every process of the namespace with it.
 */
export class WallRun implements Victim {
  readonly #process: WallProcess
  readonly #onInit: (pid: number) => void
  readonly report: StatusReport
  #init: ProcessId | null = null
  #condemned = false
  #isUp = true

  constructor(process: WallProcess, onInit: (pid: number) => void) {
    this.#process = process
    this.#onInit = onInit
    this.report = process.report
    this.report.listen(() => this.#hear())
    // What the command has left behind is to go, and need not wait until its builder has gone.
    this.report.listen(() => {
      if (this.report.exitCode === null) return false
      if (this.#init !== null) signalProcess(this.#init, 'SIGKILL')
      return true
    })
    const over = (): void => {
      this.#isUp = false
    }
    process.ended.then(over, over)
  }

  /** Bubblewrap has not ended. */
  get isUp(): boolean {
    return this.#isUp
  }

  ask(): void {
    const tree = this.#init === null ? [] : descendantsOf(this.#init.pid)
    // Before the command is started there is nobody who could make use of the grace.
    if (tree.length === 0) this.force()
    for (const pid of tree) sendSignal(pid, 'SIGTERM')
  }

  force(): void {
    this.#condemned = true
    if (this.#init !== null) {
      signalProcess(this.#init, 'SIGKILL')
      return
    }
    setTimeout(() => this.#forceBuilder(), STUCK_MS).unref()
  }

  #forceBuilder(): void {
    const pid = this.#process.pid ?? this.report.starterPid
    if (this.#init !== null || pid === null || !this.#isUp) return
    const builder = identify(pid)
    // A child it has made by then waits at the gate, which closes with it.
    if (builder !== null) signalProcess(builder, 'SIGKILL')
  }

  /** Bubblewrap has ended, and its init is dying with all that is left in the namespace: wait until it is gone. */
  async allDead(): Promise<void> {
    const init = this.#init
    for (let looks = 0; init !== null && signalProcess(init, 'SIGKILL'); looks += 1) {
      // A dying init is mostly gone before a timer's first tick.
      await (looks < LOOKS ? soon() : sleep(Math.min(looks - LOOKS, 20)))
    }
  }

  #hear(): boolean {
    const pid = this.report.childPid
    if (pid === null) return false
    this.#init = identify(pid)
    if (this.#condemned) this.force()
    // It may be over by now, but it has started, and whoever asked is told so.
    else this.#onInit(pid)
    return true
  }
}
