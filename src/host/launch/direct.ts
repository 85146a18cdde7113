import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, statSync } from 'node:fs'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Plan } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { anonymousFile } from './anonymous-file.js'
import { Fifos } from './fifos.js'
import { InheritedDescriptors, sealed } from './inherited-descriptors.js'
import { type Mark, markedProcesses, type Since, sweep } from './marked-processes.js'
import { descendantsOf, sendSignal } from './process-tree.js'
import { requireProgram } from './resolve-program.js'
import { endingOf } from './signal-names.js'
import { Stopper, type Victim } from './stopper.js'
import { Streams } from './streams.js'
import { isShell } from './waiting-shell.js'
import { Watchdog } from './watchdog.js'

/** The variable that tells one command's processes from another's. */
const TASK_NAME = 'CORDON_TASK'

/**
 * Launches plans without a wall. Refuses every other plan. A command's processes are found by the tag of `tagged`, which only a process
 * that means to get rid of it loses, and by a variable, should the tag not be had.
 */
export function createDirect(): Launcher {
  return new Direct()
}

class Direct implements Launcher {
  readonly #watchdog = new Watchdog()
  readonly #fifos = new Fifos(this.#watchdog.directory)
  readonly #inherited = new InheritedDescriptors()
  readonly #active = new Map<Stopper, Promise<unknown>>()
  /** Open while there is a launcher. */
  #prelude: number | null = null

  probe(): { sandbox: 'none'; cause: string; fix: string } {
    return {
      sandbox: 'none',
      cause: 'the direct launcher starts commands without a sandbox',
      fix: 'Choose a profile with a sandbox if you need one.',
    }
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    refuseWhatCannotBeEnforced(plan)
    requireProgram(plan)
    if (io.signal.aborted) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    const tag = this.#watchdog.newTag()
    const mark: Mark = { name: TASK_NAME, value: tag, tag }
    const streams = new Streams(this.#fifos, io)
    const at = performance.now()
    const child = this.#spawn(plan, streams, mark)
    const run = new DirectRun(child, mark, at)
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
    if (this.#prelude !== null) closeSync(this.#prelude)
    this.#prelude = null
  }

  #spawn(plan: Plan, streams: Streams, mark: Mark): ChildProcess {
    this.#prelude ??= anonymousFile(Buffer.from(PRELUDE))
    const { argv, env, descriptors } = tagged(plan, mark, this.#prelude)
    const [program = '', ...args] = argv
    try {
      const child = spawn(program, args, {
        cwd: plan.cwd,
        env: Object.fromEntries([...env, this.#watchdog.mark, [mark.name, mark.value]]),
        stdio: sealed([...streams.stdio, ...descriptors], this.#inherited.list(), this.#inherited.nothing),
        detached: true,
      })
      streams.handedOver()
      streams.listen()
      return child
    } catch (error) {
      streams.discard()
      throw new CordonError('START_FAILED', `The command could not be started: ${(error as Error).message}.`)
    }
  }
}

/** Where bash finds its first lines; it closes that before it reads the script. */
const PRELUDE_FD = 3
/** Bash tags itself before it reads the script, and leaves no trace of it but the tag. */
const PRELUDE = `ulimit -SR "$${TASK_NAME}"; exec ${PRELUDE_FD}<&-
if [[ -v CORDON_BASH_ENV ]]; then export BASH_ENV=$CORDON_BASH_ENV; unset CORDON_BASH_ENV; [[ -r $BASH_ENV ]] && . "$BASH_ENV"; else unset BASH_ENV; fi
`
const PRLIMIT = '/usr/bin/prlimit'

interface Tagged extends Pick<Plan, 'argv' | 'env'> {
  /** What it is given from descriptor 3 on. */
  readonly descriptors: readonly number[]
}

/**
 * The plan with its processes tagged from the first instruction of the command on. For bash that costs the reading of a few lines, from a file without
 * a name that it is given, so that it has them though the engine be dead by then; another program is started through `prlimit`.
 */
function tagged({ argv, env }: Plan, { tag }: Mark, prelude: number): Tagged {
  if (!isShell({ argv }))
    return { argv: existsSync(PRLIMIT) ? [PRLIMIT, `--rttime=${tag}:`, '--', ...argv] : argv, env, descriptors: [] }
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
    throw new CordonError('START_FAILED', `The working directory ${plan.cwd} is gone. Create it again, or use another.`)
  }
}

/** A process group, and whatever left it but still carries the mark. */
class DirectRun implements Victim {
  readonly #pid: number
  readonly #since: Since
  readonly #mark: Mark

  constructor(child: ChildProcess, mark: Mark, at: number) {
    // A child that could not be started has no pid, and there is nothing to kill.
    this.#pid = child.pid ?? Number.MAX_SAFE_INTEGER
    this.#since = { pid: this.#pid, at }
    this.#mark = mark
  }

  ask(): void {
    const everyone = new Set([this.#pid, ...descendantsOf(this.#pid), ...markedProcesses(this.#mark, this.#since)])
    for (const pid of everyone) sendSignal(pid, 'SIGTERM')
  }

  force(): void {
    const outside = [...descendantsOf(this.#pid), ...markedProcesses(this.#mark, this.#since)]
    sendSignal(-this.#pid, 'SIGKILL')
    for (const pid of outside) sendSignal(pid, 'SIGKILL')
  }

  /** The main process has ended: end what it left behind, in its group and out of it. */
  async allDead(): Promise<void> {
    sendSignal(-this.#pid, 'SIGKILL')
    await sweep(this.#mark, this.#since)
  }
}

async function ending(child: ChildProcess, run: DirectRun, streams: Streams, stopper: Stopper): Promise<Ending> {
  try {
    const own = await exitOf(child)
    // What it left behind is ended at once, and not by a cause that comes up only now.
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
      reject(new CordonError('START_FAILED', `The command could not be started: ${error.message}.`)),
    )
  })
}
