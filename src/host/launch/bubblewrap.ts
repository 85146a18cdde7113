import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Capabilities, Plan } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { anonymousFile } from './anonymous-file.js'
import { wallArguments } from './bubblewrap-arguments.js'
import { inNamespaceOf } from './enter-namespace.js'
import { Fifos } from './fifos.js'
import { findBubblewrap } from './find-bubblewrap.js'
import { InheritedDescriptors, sealed } from './inherited-descriptors.js'
import { requireProgram } from './resolve-program.js'
import { endingOf } from './signal-names.js'
import { Stopper } from './stopper.js'
import { Streams } from './streams.js'
import { ForbiddenPlaces } from './take-back.js'
import { WallRun } from './wall-run.js'
import { Watchdog } from './watchdog.js'
import { whyNoWall } from './why-no-wall.js'

const ARGS_FD = 3
const STATUS_FD = 4
const FIRST_EMPTY_FD = 5
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
    const bwrap = this.#required(plan)
    requireProgram(plan)
    if (io.signal.aborted) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    const complaint: Buffer[] = []
    let heard = 0
    const streams = new Streams(this.#fifos, io, (chunk) => {
      if (heard < COMPLAINT_BYTES) complaint.push(chunk)
      heard += chunk.length
    })
    const forbidden = new ForbiddenPlaces(plan.wall.kind === 'bubblewrap' ? plan.wall.mounts : [])
    const child = this.#spawn(bwrap, plan, streams, forbidden.existing)
    const run = new WallRun(child, child.stdio[STATUS_FD] as Readable, (pid) =>
      io.onStart({ pid, write: (text) => streams.write(text), endInput: () => streams.endInput() }),
    )
    const stopper = new Stopper(run, plan, io.signal)
    const ended = this.#ending(child, run, streams, stopper, () => Buffer.concat(complaint).toString('utf8'))
    this.#active.set(stopper, ended)
    this.#watchdog.start()
    return ended.finally(() => {
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

  #required(plan: Plan): string {
    if (plan.wall.kind !== 'bubblewrap') {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        'This launcher builds walls, and the plan asks for none. Use the launcher for plans without a wall.',
      )
    }
    const found = this.probe()
    if (found.wall === 'bubblewrap') return found.path
    throw new CordonError('SANDBOX_UNAVAILABLE', `The command cannot be walled in: ${found.cause}. ${found.fix}`)
  }

  #spawn(bwrap: string, plan: Plan, streams: Streams, existing: ReadonlySet<string>): ChildProcess {
    if (plan.wall.kind !== 'bubblewrap') throw new CordonError('INTERNAL', 'a plan without a wall reached the wall')
    const setting = { statusFd: STATUS_FD, firstEmptyFd: FIRST_EMPTY_FD, asRoot: process.getuid?.() === 0, existing }
    const { args, emptyFds } = wallArguments(plan, plan.wall, setting)
    const { nothing } = this.#inherited
    const feed = anonymousFile(Buffer.from(`${args.join('\0')}\0`))
    const empty = new Array<number>(emptyFds).fill(nothing)
    const stdio = sealed([...streams.stdio, feed, 'pipe' as const, ...empty], this.#inherited.list(), nothing)
    try {
      const [program, ...argv] = inNamespaceOf(plan.wall.within, [bwrap, '--args', `${ARGS_FD}`, '--', ...plan.argv])
      const child = spawn(program, argv, {
        cwd: '/',
        // What the request sets acts on the command, never on bubblewrap outside the wall: LD_PRELOAD would be code on the host.
        env: Object.fromEntries([this.#watchdog.mark]),
        stdio,
        // Ctrl-C in a terminal goes to the engine, which stops the command in its own order.
        detached: true,
      })
      streams.handedOver()
      return child
    } catch (error) {
      streams.discard()
      throw new CordonError('START_FAILED', `The command could not be started: ${(error as Error).message}.`)
    } finally {
      closeSync(feed)
    }
  }

  async #ending(
    child: ChildProcess,
    run: WallRun,
    streams: Streams,
    stopper: Stopper,
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
    if (run.report.exitCode !== null) return endingOf(run.report.exitCode)
    const { cause, fix } = whyNoWall(said())
    throw new CordonError('SANDBOX_UNAVAILABLE', `The command cannot be walled in: ${cause}. ${fix}`)
  }
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
