import { setTimeout as sleep, setImmediate as soon } from 'node:timers/promises'
import { describeLeft, type LeftRunning, runningBelow } from '../process/left-running.js'
import { descendantsOf, identify, type ProcessId, sendSignal, signalProcess } from '../process/process-tree.js'
import type { KillTarget } from '../process/stopper.js'
import type { SandboxProcess } from '../sandbox/sandbox-process.js'
import type { StatusReport } from '../sandbox/status-report.js'
import type { ExitHold } from './exit-hold.js'

/** Time after which bubblewrap, or the whole machine, counts as stuck. Building a sandbox takes milliseconds. */
const STUCK_MS = 3_000
const QUICK_CHECKS = 40
/** Time for processes that end by themselves after their shell, such as `tee` in a process substitution. */
const LEFT_MS = 250
const LEFT_LOOK_MS = 5

/**
 * One bubblewrap process and the namespace it builds. Kills by the pid of the namespace's init, which takes every
 * process of the namespace with it. Killing bubblewrap itself in its first milliseconds would leave the command
 * running.
 */
export class SandboxRun implements KillTarget {
  readonly #process: SandboxProcess
  readonly #onInit: (pid: number) => void
  readonly report: StatusReport
  #init: ProcessId | null = null
  #killRequested = false
  #isAsked = false
  /** bubblewrap, which is or may be stopped when it has reported the exit status. */
  #held: ProcessId | null = null
  #isHeld = false
  /** Called with the processes that the command left running. */
  onLeft: ((left: LeftRunning) => void) | null = null
  /** Settles when it is known whether bubblewrap is held. */
  #holding: Promise<void> | null = null
  #isUp = true

  constructor(process: SandboxProcess, onInit: (pid: number) => void) {
    this.#process = process
    this.#onInit = onInit
    this.report = process.report
    this.report.listen(() => this.#onReport())
    // Clears up processes left behind at once, without waiting for bubblewrap's end.
    this.report.listen(() => {
      if (this.report.exitCode === null) return false
      void this.#endLeftRunning()
      return true
    })
    const over = (): void => {
      this.#isUp = false
    }
    process.ended.then(over, over)
  }

  /** True while bubblewrap runs. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** Settles when it is known whether bubblewrap is held at its exit. Null if that was not asked for. */
  get holding(): Promise<void> | null {
    return this.#holding
  }

  interrupt(): boolean {
    const tree = this.#init === null ? [] : descendantsOf(this.#init.pid)
    for (const pid of tree) sendSignal(pid, 'SIGINT')
    return tree.length > 0
  }

  ask(): void {
    this.#isAsked = true
    const tree = this.#init === null ? [] : descendantsOf(this.#init.pid)
    // Before the command starts, no process could use the grace period.
    if (tree.length === 0) this.force()
    for (const pid of tree) sendSignal(pid, 'SIGTERM')
  }

  force(): void {
    this.#killRequested = true
    this.#killHeld()
    if (this.#init !== null) {
      signalProcess(this.#init, 'SIGKILL')
      return
    }
    setTimeout(() => this.#forceBuilder(), STUCK_MS).unref()
  }

  /** Stops bubblewrap when it reports the exit status, until this object has seen the processes left running. */
  holdAtExit(exits: ExitHold): Promise<void> {
    this.#holding = this.#hold(exits)
    return this.#holding
  }

  async #hold(exits: ExitHold): Promise<void> {
    const { statusFd } = this.#process
    const pid = this.#process.pid ?? this.report.starterPid
    const starter = pid === null ? null : identify(pid)
    if (statusFd === null || starter === null) return
    const release = (): void => exits.release(starter.pid)
    this.#process.ended.then(release, release)
    this.#isHeld = await exits.hold(starter.pid, statusFd)
    // A helper that answered too late may hold it all the same, and nothing else would let it go.
    this.#held = starter
    if (this.#killRequested) this.#killHeld()
  }

  /** Ends the processes left running. Reports those that do not end by themselves within a moment. */
  async #endLeftRunning(): Promise<void> {
    const init = this.#init
    // The exit status can arrive before the answer that bubblewrap is held. Nothing else would let it go then.
    await this.#holding
    const isHeld = this.#isHeld || this.#process.statusFd === null
    if (init !== null && isHeld && !this.#isAsked && !this.#killRequested) {
      for (let waited = 0; waited < LEFT_MS && runningBelow(init.pid).length > 0; waited += LEFT_LOOK_MS)
        await sleep(LEFT_LOOK_MS)
      const left = this.#isAsked || this.#killRequested ? [] : runningBelow(init.pid)
      if (left.length > 0) this.onLeft?.(describeLeft(left))
    }
    if (init !== null) signalProcess(init, 'SIGKILL')
    this.#killHeld()
  }

  /** Kills a stopped bubblewrap, whose sandbox ends with it. */
  #killHeld(): void {
    if (this.#held !== null) signalProcess(this.#held, 'SIGKILL')
  }

  #forceBuilder(): void {
    const pid = this.#process.pid ?? this.report.starterPid
    if (this.#init !== null || pid === null || !this.#isUp) return
    const builder = identify(pid)
    // A child that it has made by then waits at the gate, which closes with it.
    if (builder !== null) signalProcess(builder, 'SIGKILL')
  }

  /** Waits until the init and its namespace are gone. bubblewrap has ended by now. */
  async allDead(): Promise<void> {
    const init = this.#init
    for (let checks = 0; init !== null && signalProcess(init, 'SIGKILL'); checks += 1) {
      // A dying init is mostly gone before a timer's first tick.
      await (checks < QUICK_CHECKS ? soon() : sleep(Math.min(checks - QUICK_CHECKS, 20)))
    }
  }

  #onReport(): boolean {
    const pid = this.report.childPid
    if (pid === null) return false
    this.#init = identify(pid)
    if (this.#killRequested) this.force()
    // The sandbox may be over by now, but it has started, and the caller must learn that.
    else this.#onInit(pid)
    return true
  }
}
