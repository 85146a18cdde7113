import { closeSync, existsSync } from 'node:fs'
import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Capabilities, Plan, Wall } from '../../core/model/plan.js'
import type { Launcher, LaunchIo, StartAside } from '../../engine/ports.js'
import { anonymousFile } from './anonymous-file.js'
import { startBeside } from './beside.js'
import { Broker } from './broker.js'
import { MOUNTED_LINE } from './bubblewrap-arguments.js'
import { BuiltWall, type Workshop } from './built-wall.js'
import { type CgroupTree, cgroupTrees, removeAbandoned } from './cgroup-trees.js'
import { privatePrefix, requiredFilter } from './cold-wall.js'
import { Fifos } from './fifos.js'
import { findBubblewrap } from './find-bubblewrap.js'
import { HeldNamespaces } from './held-namespaces.js'
import { InheritedDescriptors } from './inherited-descriptors.js'
import type { ListedNetwork } from './listed-network.js'
import { MaskReports, reportsPipe } from './mask-reports.js'
import { NetworkKeeper, PERL } from './network-keeper.js'
import { Nursery } from './nursery.js'
import { type ProxyRules, visitInWords } from './proxy-way.js'
import { requireProgram } from './resolve-program.js'
import { Sealer } from './sealer.js'
import type { Stopper } from './stopper.js'
import type { Wanted } from './wall-fit.js'
import { WarmWalls } from './warm-walls.js'
import { Watchdog } from './watchdog.js'

export interface BubblewrapOptions {
  /** Where to look for bwrap, instead of the system's own directories. */
  readonly places?: readonly string[]
  /** Where to make control groups, instead of wherever this process may. None: limits are watched from outside. */
  readonly cgroups?: readonly CgroupTree[]
  /** How many walls to keep built ahead, for an engine that lives long enough to use them. Default: none. */
  readonly warm?: number
  /** Where to look for Perl, by which walls built ahead are copied and networks of listed hosts made; without it there are none. */
  readonly perl?: string
  /** How names of listed hosts are resolved, instead of by the host. */
  readonly resolve?: ProxyRules['resolve']
}

/** Launches plans whose wall is bubblewrap: one wall for one command, built for it or ahead of it. Refuses every other plan. */
export function createBubblewrap(options: BubblewrapOptions = {}): WallLauncher {
  return new Bubblewrap(options)
}

export interface WallLauncher extends Launcher {
  prepare(plan: Plan): void
  /** Settles when a wall for such a plan waits, with how it was made; or when none will. */
  readied(plan: Plan): Promise<'copied' | 'built' | 'none'>
  /** By the broker, if there is one. */
  readonly startAside: StartAside
}

const A_WHILE_MS = 60_000

type BubblewrapWall = Extract<Wall, { kind: 'bubblewrap' }>

/** What the network was visited for is told as long as the wall stands, to the last of it. */
async function attended(
  network: ListedNetwork | null,
  built: BuiltWall,
  io: LaunchIo,
  act: () => Promise<Ending>,
): Promise<Ending> {
  if (network === null) return act()
  network.attend((visit) => io.onEvidence?.(visitInWords(visit)))
  const settle = (): Promise<void> => network.settled()
  const settled = built.over.then(settle, settle)
  try {
    return await act()
  } finally {
    await settled
  }
}

/** Listed hosts of an ordinary user's transaction: its network belongs to its namespace and ends with it. */
const hasOwnNetwork = ({ within, network }: BubblewrapWall): boolean =>
  typeof network === 'object' && within !== undefined && process.getuid?.() !== 0

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
  readonly #fifos = new Fifos(this.#watchdog.directory, reportsPipe(`${this.#watchdog.directory}-masks`))
  readonly #inherited = new InheritedDescriptors()
  readonly #held = new HeldNamespaces()
  readonly #reports = new MaskReports(`${this.#watchdog.directory}-masks`)
  readonly #active = new Map<Promise<unknown>, Stopper>()
  #found: Capabilities | null = null
  #shop: Workshop | null = null
  #mountedLine: number | null = null
  #warm: WarmWalls | null = null
  #broker: Broker | null = null
  #nursery: Nursery | null = null
  #keeper: NetworkKeeper | null = null
  #sealer: Sealer | null = null
  #nothing: Promise<void> | null = null
  #isFirst = true
  #closed = false

  constructor(options: BubblewrapOptions) {
    this.#options = options
  }

  readonly startAside: StartAside = (argv, descriptors, io) =>
    this.#broker?.isUp ? startBeside(argv, descriptors, io, { fifos: this.#fifos, broker: this.#broker }) : null

  probe(): Capabilities {
    this.#found ??= findBubblewrap(this.#options.places)
    return this.#found
  }

  async launch(plan: Plan, io: LaunchIo): Promise<Ending> {
    const { shop, wall } = this.#required(plan)
    requireProgram(plan)
    if (io.signal.aborted || this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    this.#watchdog.start()
    await this.#handsOutNothing(shop)
    if (this.#closed) return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    const warm = this.#warmWalls(shop)
    const wanted: Wanted = { plan, wall, stdin: io.stdin }
    const taken = warm.take(wanted)
    try {
      if (taken === null) return await this.#launchCold(shop, wanted, io)
      const { built, network } = taken
      return await attended(network, built, io, () => this.#conduct(built, plan, io)).catch((error: unknown) => {
        if (built.hasBegun) throw error
        return this.#launchCold(shop, wanted, io)
      })
    } finally {
      taken?.network?.close()
      warm.refill(wanted)
    }
  }

  async #launchCold(shop: Workshop, wanted: Wanted, io: LaunchIo): Promise<Ending> {
    const network = await this.#networkFor(shop, wanted.wall)
    if (io.signal.aborted) {
      network?.close()
      return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    }
    try {
      const built = this.#build(shop, wanted, network)
      return await attended(network, built, io, () => this.#conduct(built, wanted.plan, io))
    } finally {
      network?.close()
    }
  }

  async #conduct(built: BuiltWall, plan: Plan, io: LaunchIo): Promise<Ending> {
    let stopper: Stopper | undefined
    const ended = built.conduct(plan, io, (own) => {
      stopper = own
    })
    if (stopper !== undefined) this.#active.set(ended, stopper)
    try {
      return await ended
    } finally {
      this.#active.delete(ended)
    }
  }

  prepare(plan: Plan): void {
    if ((this.#options.warm ?? 0) === 0 || this.#closed) return
    const { shop, wall } = this.#required(plan)
    void this.#handsOutNothing(shop).then(() => {
      if (!this.#closed) void this.#warmWalls(shop).prepare({ plan, wall, stdin: 'closed' })
    })
  }

  async readied(plan: Plan): Promise<'copied' | 'built' | 'none'> {
    const { shop, wall } = this.#required(plan)
    await this.#handsOutNothing(shop)
    return awake(() => this.#warmWalls(shop).readied({ plan, wall, stdin: 'closed' }))
  }

  close(): Promise<void> {
    return awake(() => this.#close())
  }

  async #close(): Promise<void> {
    this.#closed = true
    for (const stopper of this.#active.values()) stopper.force()
    await Promise.allSettled(this.#active.keys())
    const fallen = this.#warm?.close()
    await this.#nursery?.close()
    await fallen
    await this.#broker?.close()
    await this.#keeper?.close()
    await this.#sealer?.close()
    await Promise.all([this.#watchdog.release(), this.#held.released()])
    this.#fifos.close()
    this.#reports.close()
    this.#inherited.close()
    if (this.#mountedLine !== null) closeSync(this.#mountedLine)
    this.#mountedLine = null
  }

  #required(plan: Plan): { readonly shop: Workshop; readonly wall: BubblewrapWall } {
    if (plan.wall.kind !== 'bubblewrap') {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        'This launcher builds walls, and the plan asks for none. Use the launcher for plans without a wall.',
      )
    }
    const found = this.probe()
    if (found.wall === 'none') {
      throw new CordonError('SANDBOX_UNAVAILABLE', `The command cannot be walled in: ${found.cause}. ${found.fix}`)
    }
    const { mark } = this.#watchdog
    this.#shop ??= {
      bwrap: found.path,
      fifos: this.#fifos,
      reports: this.#reports,
      inherited: this.#inherited,
      mark,
      cgroups: this.#cgroups(),
      prefix: privatePrefix(),
      filter: requiredFilter(),
      mountedLine: this.#openLine(),
      held: this.#held,
      sealer: () => this.#sealerOf(mark),
    }
    return { shop: this.#shop, wall: plan.wall }
  }

  /** Only root owns the devices of the host. Null where this host has no Perl. One that was killed is replaced. */
  #sealerOf(mark: Workshop['mark']): Sealer | null {
    if (process.geteuid?.() !== 0 || !existsSync(PERL)) return null
    if (this.#sealer?.hasDied) this.#sealer = null
    this.#sealer ??= new Sealer(PERL, { mark, inherited: this.#inherited })
    return this.#sealer
  }

  /** What walls are handed as nothing is by then no door to the /dev/null of the host, which root could change by it. */
  #handsOutNothing(shop: Workshop): Promise<void> {
    this.#nothing ??= awake(async () => {
      const nothing = (await shop.sealer()?.nothing) ?? null
      if (nothing !== null) this.#inherited.useAsNothing(nothing)
    })
    return this.#nothing
  }

  #openLine(): number {
    this.#mountedLine = anonymousFile(Buffer.from(MOUNTED_LINE))
    return this.#mountedLine
  }

  /** A network of the hosts the plan lists, for one wall and no other; null where it lists none. */
  async #networkFor({ mark, inherited }: Workshop, wall: BubblewrapWall): Promise<ListedNetwork | null> {
    if (typeof wall.network !== 'object') return null
    if (this.#keeper?.hasDied) this.#keeper = null
    this.#keeper ??= new NetworkKeeper(this.#options.perl ?? PERL, { mark, inherited }, this.#options.resolve)
    return this.#keeper.open(wall.network.hosts, hasOwnNetwork(wall) ? (wall.within ?? null) : null)
  }

  #cgroups(): readonly CgroupTree[] {
    const trees = this.#options.cgroups ?? cgroupTrees()
    removeAbandoned(trees)
    return trees
  }

  #warmWalls(shop: Workshop): WarmWalls {
    this.#warm ??= new WarmWalls(
      shop,
      () => this.#brokerOf(shop),
      () => this.#nurseryOf(shop),
      (wall) => this.#networkFor(shop, wall),
      this.#options.warm ?? 0,
    )
    return this.#warm
  }

  /** An engine that runs one command and ends, as the command line does, has no use for a broker; nor has the second a reason to wait. */
  #build(shop: Workshop, { plan, wall, stdin }: Wanted, network: ListedNetwork | null): BuiltWall {
    if (!this.#isFirst) void this.#brokerOf(shop)
    this.#isFirst = false
    const broker = this.#broker?.isUp ? this.#broker : null
    return new BuiltWall(shop, network?.plan(plan) ?? plan, wall, stdin, { networkOf: network?.pid ?? null, broker })
  }

  /** Null where this host has no Perl, or lets none work. One that was killed is replaced. */
  async #nurseryOf({ mark, inherited, fifos }: Workshop): Promise<Nursery | null> {
    const perl = this.#options.perl ?? PERL
    if (this.#nursery?.hasDied) this.#nursery = null
    this.#nursery ??= existsSync(perl) ? Nursery.start(perl, fifos, { mark, inherited }) : null
    const nursery = this.#nursery
    return (await nursery?.ready) && nursery?.isUp ? nursery : null
  }

  /** Null where this host, or this engine, lets none work. One that was killed is replaced. */
  async #brokerOf({ mark, inherited }: Workshop): Promise<Broker | null> {
    if (this.#broker?.hasDied) this.#broker = null
    this.#broker ??= new Broker({ mark, inherited })
    const broker = this.#broker
    return (await broker.ready) && broker.isUp ? broker : null
  }
}
