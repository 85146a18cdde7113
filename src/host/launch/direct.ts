import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, statSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Plan } from '../../core/model/policy/plan.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Launcher, LaunchIo } from '../../engine/ports/ports.js'
import { helperScript } from '../helper-scripts/helper-script.js'
import { endingOf } from './process/exit-status.js'
import { InheritedDescriptors, sealed } from './process/inherited-descriptors.js'
import { descendantsOf, sendSignal } from './process/process-tree.js'
import { requireProgram } from './process/require-program.js'
import { type KillTarget, Stopper } from './process/stopper.js'
import { killTagged, type ProcessTag, type Since, taggedProcesses } from './process/tagged-processes.js'
import { Watchdog } from './process/watchdog.js'
import { isShell } from './sandbox/shell-plan.js'
import { anonymousFile } from './streams/anonymous-file.js'
import { Fifos } from './streams/fifos.js'
import { Streams } from './streams/standard-streams.js'

/** Environment variable that identifies one command's processes. */
const TASK_NAME = 'CORDON_TASK'

/**
 * Launches plans without a sandbox. Rejects every other plan. A command's processes are found by their process tag. A
 * process loses the tag only on purpose; an environment variable serves where the tag cannot be set.
 */
export function createDirect(): Launcher {
  return new Direct()
}

class Direct implements Launcher {
  readonly #watchdog = new Watchdog()
  readonly #fifos = new Fifos(this.#watchdog.directory)
  readonly #inherited = new InheritedDescriptors()
  readonly #active = new Map<Stopper, Promise<unknown>>()
  /** Open while the launcher exists. */
  #prelude: number | null = null

  probe(): { sandbox: 'none'; cause: string; fix: string } {
    return {
      sandbox: 'none',
      cause: 'the direct launcher starts commands without a sandbox',
      fix: 'Choose a profile with a sandbox.',
    }
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    refuseWhatCannotBeEnforced(plan)
    requireProgram(plan)
    if (io.signal.aborted) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    const value = this.#watchdog.newTag()
    const tag: ProcessTag = { name: TASK_NAME, value, rttime: value }
    const streams = new Streams(this.#fifos, io)
    const at = performance.now()
    const child = this.#spawn(plan, streams, tag)
    const run = new DirectRun(child, tag, at)
    const stopper = new Stopper(run, plan, io.signal)
    const ended = ending(child, run, streams, stopper)
    this.#active.set(stopper, ended)
    if (child.pid !== undefined) {
      io.onStart({
        pid: child.pid,
        write: (text) => streams.write(text),
        endInput: () => streams.endInput(),
        interrupt: () => run.interrupt(),
      })
    }
    return ended.finally(() => this.#active.delete(stopper))
  }

  async close(): Promise<void> {
    for (const stopper of this.#active.keys()) stopper.force()
    await Promise.allSettled(this.#active.values())
    await this.#watchdog.release()
    this.#fifos.close()
    this.#inherited.close()
    if (this.#prelude !== null) closeSync(this.#prelude)
    this.#prelude = null
  }

  #spawn(plan: Plan, streams: Streams, tag: ProcessTag): ChildProcess {
    this.#prelude ??= anonymousFile(Buffer.from(helperScript('tag-shell.bash')))
    const { argv, env, descriptors } = tagged(plan, tag, this.#prelude)
    const [program = '', ...args] = argv
    try {
      const child = spawn(program, args, {
        cwd: plan.cwd,
        env: Object.fromEntries([...env, this.#watchdog.engineVariable, [tag.name, tag.value]]),
        stdio: sealed([...streams.stdio, ...descriptors], this.#inherited.list(), this.#inherited.devNull),
        detached: true,
      })
      streams.closeOurCopies()
      streams.listen()
      return child
    } catch (error) {
      streams.discard()
      throw new CordonError('START_FAILED', `Cordon could not start the command: ${(error as Error).message}.`)
    }
  }
}

/** Descriptor from which bash reads its first lines. bash closes it before it reads the script. */
const PRELUDE_FD = 3
const PRLIMIT = '/usr/bin/prlimit'

interface Tagged extends Pick<Plan, 'argv' | 'env'> {
  /** Descriptors of the program, from 3 on. */
  readonly descriptors: readonly number[]
}

/**
 * Changes the plan so that its processes have the tag from their first instruction. bash reads a few lines from an
 * anonymous file, which works even if the engine has died by then. Other programs start through `prlimit`.
 */
function tagged({ argv, env }: Plan, { rttime }: ProcessTag, prelude: number): Tagged {
  if (!isShell({ argv }))
    return { argv: existsSync(PRLIMIT) ? [PRLIMIT, `--rttime=${rttime}:`, '--', ...argv] : argv, env, descriptors: [] }
  const own = env.flatMap(([name, value]): Plan['env'] => (name === 'BASH_ENV' ? [['CORDON_BASH_ENV', value]] : []))
  const others = env.filter(([name]) => name !== 'BASH_ENV')
  const variables: Plan['env'] = [...others, ...own, ['BASH_ENV', `/proc/self/fd/${PRELUDE_FD}`]]
  return { argv, env: variables, descriptors: [prelude] }
}

function refuseWhatCannotBeEnforced(plan: Plan): void {
  if (plan.sandbox.kind !== 'none') {
    throw new CordonError(
      'SANDBOX_UNAVAILABLE',
      'The direct launcher builds no sandbox, and this plan requires one. Use the bubblewrap launcher.',
    )
  }
  if (!statSync(plan.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CordonError('START_FAILED', `The working directory ${plan.cwd} is gone. Create it, or choose another.`)
  }
}

/** Stops a process group, and processes that left it but still carry the tag. */
class DirectRun implements KillTarget {
  readonly #pid: number
  readonly #since: Since
  readonly #tag: ProcessTag

  constructor(child: ChildProcess, tag: ProcessTag, at: number) {
    // A child that failed to start has no pid, so there is no process to kill.
    this.#pid = child.pid ?? Number.MAX_SAFE_INTEGER
    this.#since = { pid: this.#pid, at }
    this.#tag = tag
  }

  interrupt(): boolean {
    return this.#signal('SIGINT')
  }

  ask(): void {
    this.#signal('SIGTERM')
  }

  #signal(signal: NodeJS.Signals): boolean {
    const everyone = new Set([this.#pid, ...descendantsOf(this.#pid), ...taggedProcesses(this.#tag, this.#since)])
    return [...everyone].map((pid) => sendSignal(pid, signal)).includes(true)
  }

  force(): void {
    const outside = [...descendantsOf(this.#pid), ...taggedProcesses(this.#tag, this.#since)]
    sendSignal(-this.#pid, 'SIGKILL')
    for (const pid of outside) sendSignal(pid, 'SIGKILL')
  }

  /** Ends the processes that the main process left behind, in its group and outside it. */
  async allDead(): Promise<void> {
    sendSignal(-this.#pid, 'SIGKILL')
    await killTagged(this.#tag, this.#since)
  }
}

async function ending(child: ChildProcess, run: DirectRun, streams: Streams, stopper: Stopper): Promise<Ending> {
  try {
    const own = await exitOf(child)
    // The killTagged ends the processes left behind. A timeout or limit that fires only now must not change the result.
    stopper.dispose()
    await run.allDead()
    await streams.finish(stopper.ending === null)
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
      reject(new CordonError('START_FAILED', `Cordon could not start the command: ${error.message}.`)),
    )
  })
}
