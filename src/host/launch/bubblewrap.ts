import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Capabilities, Plan, ResourceLimits } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { STATUS_FD, startCold } from './cold-wall.js'
import { Fifos } from './fifos.js'
import { findBubblewrap } from './find-bubblewrap.js'
import { InheritedDescriptors } from './inherited-descriptors.js'
import { byRlimit, LimitWatch } from './limit-watch.js'
import { descendantsOf } from './process-tree.js'
import { requireProgram } from './resolve-program.js'
import { maxTasks } from './rlimits.js'
import { endingOf } from './signal-names.js'
import { Stopper } from './stopper.js'
import { Streams } from './streams.js'
import { ForbiddenPlaces } from './take-back.js'
import { TaskCgroup } from './task-cgroup.js'
import { WallRun } from './wall-run.js'
import { Watchdog } from './watchdog.js'
import { whyNoWall } from './why-no-wall.js'

/** Enough of bubblewrap's own complaint to explain why there is no wall. */
const COMPLAINT_BYTES = 4_096

export interface BubblewrapOptions {
  /** Where to look for bwrap, instead of the system's own directories. */
  readonly places?: readonly string[]
}

/** Launches plans whose wall is bubblewrap, cold: one wall built for one command. Refuses every other plan. */
export function createBubblewrap(options: BubblewrapOptions = {}): Launcher {
  return new Bubblewrap(options.places)
}

class Bubblewrap implements Launcher {
  readonly #places: readonly string[] | undefined
  readonly #fifos = new Fifos()
  readonly #inherited = new InheritedDescriptors()
  readonly #watchdog = new Watchdog()
  readonly #active = new Map<Stopper, Promise<unknown>>()
  #found: Capabilities | null = null

  constructor(places: readonly string[] | undefined) {
    this.#places = places
  }

  probe(): Capabilities {
    this.#found ??= findBubblewrap(this.#places)
    return this.#found
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    const { bwrap, wall } = this.#required(plan)
    requireProgram(plan)
    if (io.signal.aborted) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    const complaint: Buffer[] = []
    let heard = 0
    const streams = new Streams(this.#fifos, io, (chunk) => {
      if (heard < COMPLAINT_BYTES) complaint.push(chunk)
      heard += chunk.length
    })
    const forbidden = new ForbiddenPlaces(wall.mounts, wall.within === undefined ? '' : `/proc/${wall.within}/root`)
    const { existing } = forbidden
    const child = startCold({
      bwrap,
      plan,
      wall,
      streams,
      existing,
      inherited: this.#inherited,
      mark: this.#watchdog.mark,
    })
    const group = groupFor(plan.limits)
    if (child.pid !== undefined) group?.add(child.pid)
    let watch: LimitWatch | undefined
    const run = new WallRun(child, child.stdio[STATUS_FD] as Readable, (pid) => {
      group?.add(pid, ...descendantsOf(pid))
      watch = new LimitWatch(pid, plan.limits, (limit) => stopper.stop({ by: 'limit', limit }))
      io.onStart({ pid, write: (text) => streams.write(text), endInput: () => streams.endInput() })
    })
    const stopper = new Stopper(run, plan, io.signal)
    const ended = this.#ending(child, run, streams, stopper, plan.limits, () =>
      Buffer.concat(complaint).toString('utf8'),
    )
    this.#active.set(stopper, ended)
    return ended.finally(async () => {
      watch?.dispose()
      await group?.remove()
      this.#active.delete(stopper)
      for (const { path, kept } of forbidden.takeBack()) {
        io.onEvidence?.(
          `write: ${path} is protected; what the command made there was taken back and is kept at ${kept}`,
        )
      }
    })
  }

  async close(): Promise<void> {
    for (const stopper of this.#active.keys()) stopper.force()
    await Promise.allSettled(this.#active.values())
    await this.#watchdog.release()
    this.#fifos.close()
    this.#inherited.close()
  }

  #required(plan: Plan): { bwrap: string; wall: Extract<Plan['wall'], { kind: 'bubblewrap' }> } {
    if (plan.wall.kind !== 'bubblewrap') {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        'This launcher builds walls, and the plan asks for none. Use the launcher for plans without a wall.',
      )
    }
    const found = this.probe()
    if (found.wall === 'bubblewrap') return { bwrap: found.path, wall: plan.wall }
    throw new CordonError('SANDBOX_UNAVAILABLE', `The command cannot be walled in: ${found.cause}. ${found.fix}`)
  }

  async #ending(
    child: ChildProcess,
    run: WallRun,
    streams: Streams,
    stopper: Stopper,
    limits: ResourceLimits,
    said: () => string,
  ): Promise<Ending> {
    try {
      await exitOf(child)
      await run.allDead()
      await streams.finish()
    } finally {
      stopper.dispose()
    }
    if (stopper.ending !== null) return stopper.ending
    if (run.report.exitCode !== null) return byRlimit(endingOf(run.report.exitCode), limits)
    const { cause, fix } = whyNoWall(said())
    throw new CordonError('SANDBOX_UNAVAILABLE', `The command cannot be walled in: ${cause}. ${fix}`)
  }
}

function groupFor(limits: ResourceLimits): TaskCgroup | null {
  const tasks = maxTasks(limits)
  return tasks === null ? null : TaskCgroup.create(tasks)
}

/** Settles when the process has ended and its extra pipes are read; rejects when it could not be started. */
function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('close', () => resolve())
    child.once('error', (error) =>
      reject(new CordonError('START_FAILED', `The command could not be started: ${error.message}.`)),
    )
  })
}
