import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Plan } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { Fifos } from './fifos.js'
import { InheritedDescriptors, sealed } from './inherited-descriptors.js'
import { type Mark, markedProcesses, sweep } from './marked-processes.js'
import { descendantsOf, sendSignal } from './process-tree.js'
import { requireProgram } from './resolve-program.js'
import { endingOf } from './signal-names.js'
import { Stopper, type Victim } from './stopper.js'
import { Streams } from './streams.js'
import { Watchdog } from './watchdog.js'

/** The variable that tells one command's processes from another's. */
const TASK_NAME = 'CORDON_TASK'

/** Launches plans without a wall. Refuses every other plan. What wipes its environment and leaves its session is not found again. */
export function createDirect(): Launcher {
  return new Direct()
}

class Direct implements Launcher {
  readonly #fifos = new Fifos()
  readonly #inherited = new InheritedDescriptors()
  readonly #watchdog = new Watchdog()
  readonly #active = new Map<Stopper, Promise<unknown>>()
  #count = 0

  probe(): { wall: 'none'; cause: string; fix: string } {
    return {
      wall: 'none',
      cause: 'commands are started without a wall',
      fix: 'Name a profile with a wall if you want one.',
    }
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    refuseWhatCannotBeEnforced(plan)
    requireProgram(plan)
    if (io.signal.aborted) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    this.#count += 1
    const mark: Mark = { name: TASK_NAME, value: `${this.#watchdog.mark[1]}.${this.#count}` }
    const streams = new Streams(this.#fifos, io)
    const child = this.#spawn(plan, streams, mark)
    const run = new DirectRun(child, mark)
    const stopper = new Stopper(run, plan, io.signal)
    const ended = ending(child, run, streams, stopper)
    this.#active.set(stopper, ended)
    if (child.pid !== undefined) {
      io.onStart({ pid: child.pid, write: (text) => streams.write(text), endInput: () => streams.endInput() })
    }
    return ended.finally(() => this.#active.delete(stopper))
  }

  async close(): Promise<void> {
    for (const stopper of this.#active.keys()) stopper.force()
    await Promise.allSettled(this.#active.values())
    await this.#watchdog.release()
    this.#fifos.close()
    this.#inherited.close()
  }

  #spawn(plan: Plan, streams: Streams, mark: Mark): ChildProcess {
    const [program = '', ...args] = plan.argv
    try {
      const child = spawn(program, args, {
        cwd: plan.cwd,
        env: Object.fromEntries([...plan.env, this.#watchdog.mark, [mark.name, mark.value]]),
        stdio: sealed(streams.stdio, this.#inherited.list(), this.#inherited.nothing),
        detached: true,
      })
      streams.handedOver()
      return child
    } catch (error) {
      streams.discard()
      throw new CordonError('START_FAILED', `The command could not be started: ${(error as Error).message}.`)
    }
  }
}

function refuseWhatCannotBeEnforced(plan: Plan): void {
  if (plan.wall.kind !== 'none') {
    throw new CordonError(
      'SANDBOX_UNAVAILABLE',
      'This launcher builds no wall, and the plan asks for one. Use the launcher that does.',
    )
  }
  if (!statSync(plan.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CordonError('START_FAILED', `The working directory ${plan.cwd} is gone. Create it again, or use another.`)
  }
}

/** A process group, and whatever left it but still carries the mark. */
class DirectRun implements Victim {
  readonly #pid: number
  readonly #mark: Mark

  constructor(child: ChildProcess, mark: Mark) {
    // A child that could not be started has no pid, and there is nothing to kill.
    this.#pid = child.pid ?? Number.MAX_SAFE_INTEGER
    this.#mark = mark
  }

  ask(): void {
    const everyone = new Set([this.#pid, ...descendantsOf(this.#pid), ...markedProcesses(this.#mark, this.#pid)])
    for (const pid of everyone) sendSignal(pid, 'SIGTERM')
  }

  force(): void {
    const outside = [...descendantsOf(this.#pid), ...markedProcesses(this.#mark, this.#pid)]
    sendSignal(-this.#pid, 'SIGKILL')
    for (const pid of outside) sendSignal(pid, 'SIGKILL')
  }

  /** The main process has ended: end what it left behind, in its group and out of it. */
  async allDead(): Promise<void> {
    sendSignal(-this.#pid, 'SIGKILL')
    await sweep(this.#mark, this.#pid)
  }
}

async function ending(child: ChildProcess, run: DirectRun, streams: Streams, stopper: Stopper): Promise<Ending> {
  try {
    const own = await exitOf(child)
    await run.allDead()
    await streams.finish()
    return stopper.ending ?? own
  } finally {
    stopper.dispose()
  }
}

function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('exit', (status, signal) =>
      resolve(signal === null ? endingOf(status ?? 0) : { how: 'killed', signal, by: 'itself' }),
    )
    child.once('error', (error) =>
      reject(new CordonError('START_FAILED', `The command could not be started: ${error.message}.`)),
    )
  })
}
