import { closeSync } from 'node:fs'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Capabilities, Plan, Sandbox } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { hideSockets } from '../unix-sockets/hide-sockets.js'
import { LateSockets } from '../unix-sockets/late-sockets.js'
import { anonymousFile } from './anonymous-file.js'
import { MOUNTED_LINE } from './bubblewrap-arguments.js'
import { BuiltWall } from './built-wall.js'
import { type CgroupTree, cgroupTrees } from './cgroup-trees.js'
import { requiredFilter } from './cold-wall.js'
import { Fifos } from './fifos.js'
import { findBubblewrap } from './find-bubblewrap.js'
import { InheritedDescriptors } from './inherited-descriptors.js'
import type { ListedNetwork } from './listed-network.js'
import { MaskReports } from './mask-reports.js'
import { PERL } from './network-keeper.js'
import { PrivateMounts } from './private-mounts.js'
import { visitInWords } from './proxy-way.js'
import { requireProgram } from './resolve-program.js'
import { type ServantOptions, Servants } from './servants.js'
import type { Stopper } from './stopper.js'
import type { Wanted } from './wall-fit.js'
import { WarmWalls } from './warm-walls.js'
import { Watchdog } from './watchdog.js'
import type { Workshop } from './workshop.js'

export interface BubblewrapOptions extends ServantOptions {
  /** Where to look for bwrap, instead of the system's own directories. */
  readonly places?: readonly string[]
  /** Where to make control groups, instead of wherever this process may. None: limits are watched from outside. */
  readonly cgroups?: readonly CgroupTree[]
  /** How many walls to keep built ahead, for an engine that lives long enough to use them. Default: none. */
  readonly warm?: number
}

/** Launches plans whose wall is bubblewrap: one wall for one command, built for it or ahead of it. Refuses every other plan. */
export function createBubblewrap(options: BubblewrapOptions = {}): WallLauncher {
  return new Bubblewrap(options)
}

export interface WallLauncher extends Launcher {
  prepare(plan: Plan): void
  /** Settles when a wall for such a plan waits, with how it was made; or when none will. */
  readied(plan: Plan): Promise<'copied' | 'built' | 'none'>
}

const A_WHILE_MS = 60_000

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

/** Reports every host that was refused or failed, as long as the sandbox stands, to the last of them. */
async function attended(
  network: ListedNetwork | null,
  built: BuiltWall,
  io: LaunchIo,
  act: () => Promise<Ending>,
): Promise<Ending> {
  if (network === null) return act()
  network.attend((visit) => {
    if (visit.outcome !== 'reached') io.onEvidence?.(visitInWords(visit))
  })
  const settle = (): Promise<void> => network.settled()
  const settled = built.over.then(settle, settle)
  try {
    return await act()
  } finally {
    await settled
  }
}

/** What waits does not keep the engine's process alive; whoever waits for it does. */
async function awake<T>(act: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, A_WHILE_MS)
  try {
    return await act()
  } finally {
    clearInterval(timer)
  }
}

class Bubblewrap implements WallLauncher {
  readonly #options: BubblewrapOptions
  readonly #watchdog = new Watchdog()
  readonly #fifos = new Fifos(this.#watchdog.directory)
  readonly #inherited = new InheritedDescriptors()
  readonly #servants: Servants
  readonly #sockets: LateSockets
  readonly #mounts: PrivateMounts
  readonly #reports = new MaskReports(`${this.#watchdog.directory}-masks`)
  readonly #active = new Map<Promise<unknown>, Stopper>()
  #found: Capabilities | null = null
  #shop: Workshop | null = null
  #mountedLine: number | null = null
  #warm: WarmWalls | null = null
  #isFirst = true
  #closed = false

  constructor(options: BubblewrapOptions) {
    this.#options = options
    const service = { mark: this.#watchdog.mark, inherited: this.#inherited }
    this.#servants = new Servants(service, this.#fifos, options)
    this.#sockets = new LateSockets(options.perl ?? PERL)
    this.#mounts = new PrivateMounts(service)
  }

  probe(): Capabilities {
    this.#found ??= findBubblewrap(this.#options.places)
    return this.#found
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    const { shop, wall } = this.#required(plan)
    requireProgram(plan)
    if (io.signal.aborted || this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    await this.#prepareMounts()
    if (this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    const warm = this.#warmWalls(shop)
    const wanted: Wanted = { plan, wall, stdin: io.stdin, merged: io.merged ?? false }
    const taken = warm.take(wanted)
    try {
      if (taken === null) return await this.#launchCold(shop, wanted, io)
      const { built, network } = taken
      return await attended(network, built, io, () => this.#conduct(built, wanted, io)).catch((error: unknown) => {
        if (built.hasBegun) throw error
        return this.#launchCold(shop, wanted, io)
      })
    } finally {
      taken?.network?.close()
      warm.refill(wanted)
    }
  }

  async #launchCold(shop: Workshop, wanted: Wanted, io: LaunchIo): Promise<Ending> {
    const network = await this.#servants.networkFor(wanted.wall)
    if (io.signal.aborted) {
      network?.close()
      return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    }
    let built: BuiltWall | undefined
    try {
      built = this.#build(shop, wanted, network)
      const used = built
      return await attended(network, used, io, () => this.#conduct(used, wanted, io))
    } catch (error) {
      // A socket that was to be hidden is gone by now: nothing can be mounted there.
      const { wall } = this.#required(wanted.plan)
      if (built?.hasBegun !== false || wall.mounts.length >= wanted.wall.mounts.length) throw error
      return await this.#launchCold(shop, { ...wanted, wall }, io)
    } finally {
      network?.close()
    }
  }

  async #conduct(built: BuiltWall, { plan, wall }: Wanted, io: LaunchIo): Promise<Ending> {
    let stopper: Stopper | undefined
    let unwatch = (): void => undefined
    const onStart: LaunchIo['onStart'] = (process) => {
      if (wall.network !== 'full')
        unwatch = this.#sockets.watch(process.pid, wall.mounts, (path) =>
          io.onEvidence?.(`socket: ${path} was opened on the host while the command ran, and could be connected to`),
        )
      io.onStart(process)
    }
    const ended = built.conduct(plan, { ...io, onStart }, (own) => {
      stopper = own
    })
    if (stopper !== undefined) this.#active.set(ended, stopper)
    try {
      return await ended
    } finally {
      this.#active.delete(ended)
      unwatch()
    }
  }

  prepare(plan: Plan): void {
    if ((this.#options.warm ?? 0) === 0 || this.#closed) return
    const { shop, wall } = this.#required(plan)
    const build = (): void => {
      if (!this.#closed) void this.#warmWalls(shop).prepare({ plan, wall, stdin: 'closed', merged: false })
    }
    // If it fails, the command that needs a sandbox reports it.
    this.#prepareMounts().then(build, () => undefined)
  }

  async readied(plan: Plan): Promise<'copied' | 'built' | 'none'> {
    const { shop, wall } = this.#required(plan)
    await this.#prepareMounts()
    return awake(() => this.#warmWalls(shop).readied({ plan, wall, stdin: 'closed', merged: false }))
  }

  close(): Promise<void> {
    return awake(() => this.#close())
  }

  async #close(): Promise<void> {
    this.#closed = true
    for (const stopper of this.#active.values()) stopper.force()
    await Promise.allSettled(this.#active.keys())
    const fallen = this.#warm?.close()
    await this.#servants.close(fallen)
    await Promise.all([this.#watchdog.release(), this.#mounts.close()])
    this.#fifos.close()
    this.#reports.close()
    this.#inherited.close()
    if (this.#mountedLine !== null) closeSync(this.#mountedLine)
    this.#mountedLine = null
  }

  #required(plan: Plan): { readonly shop: Workshop; readonly wall: BubblewrapWall } {
    if (plan.sandbox.kind !== 'bubblewrap') {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        'The bubblewrap launcher needs a plan with a sandbox, and this plan has none. Use the direct launcher.',
      )
    }
    const found = this.probe()
    if (found.sandbox === 'none') {
      throw new CordonError('SANDBOX_UNAVAILABLE', `Cordon cannot build the sandbox: ${found.cause}. ${found.fix}`)
    }
    this.#shop ??= {
      bwrap: found.path,
      fifos: this.#fifos,
      reports: this.#reports,
      inherited: this.#inherited,
      mark: this.#watchdog.mark,
      cgroups: this.#options.cgroups ?? cgroupTrees(),
      mounts: this.#mounts,
      filters: { own: requiredFilter(true), host: requiredFilter(false) },
      mountedLine: this.#openLine(),
    }
    return { shop: this.#shop, wall: hideSockets(plan.sandbox, this.#sockets.tables()) }
  }

  /** Root could change the mode of the host's /dev/null through a descriptor, so sandboxes get one from a read-only mount. */
  async #prepareMounts(): Promise<void> {
    await awake(() => this.#mounts.prepare())
    const devNull = this.#mounts.openDevNull()
    if (devNull !== null) this.#inherited.useAsNothing(devNull)
  }

  #openLine(): number {
    this.#mountedLine = anonymousFile(Buffer.from(MOUNTED_LINE))
    return this.#mountedLine
  }

  #warmWalls(shop: Workshop): WarmWalls {
    this.#warm ??= new WarmWalls(
      shop,
      () => this.#servants.nursery(),
      (wall) => this.#servants.networkFor(wall),
      this.#options.warm ?? 0,
    )
    return this.#warm
  }

  /** An engine that runs one command and ends, as the command line does, has no use for a nursery; nor has the second a reason to wait. */
  #build(shop: Workshop, { plan, wall, stdin, merged }: Wanted, network: ListedNetwork | null): BuiltWall {
    if (!this.#isFirst) void this.#servants.nursery()
    this.#isFirst = false
    const nursery = this.#servants.nurseryNow
    return new BuiltWall(shop, network?.plan(plan) ?? plan, wall, stdin, {
      networkOf: network?.pid ?? null,
      nursery,
      merged,
    })
  }
}
