import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { Capabilities, Plan, Wall } from '../../core/model/plan.js'
import type { Launcher, LaunchIo } from '../../engine/ports.js'
import { BuiltWall, type Workshop } from './built-wall.js'
import { type CgroupTree, cgroupTrees, removeAbandoned } from './cgroup-trees.js'
import { privatePrefix, requiredFilter } from './cold-wall.js'
import { Fifos } from './fifos.js'
import { findBubblewrap } from './find-bubblewrap.js'
import { InheritedDescriptors } from './inherited-descriptors.js'
import { type Door, ListedNetwork, proxyVariables } from './listed-network.js'
import { MaskReports } from './mask-reports.js'
import { requireProgram } from './resolve-program.js'
import type { Stopper } from './stopper.js'
import { WarmWalls } from './warm-walls.js'
import { Watchdog } from './watchdog.js'

export interface BubblewrapOptions {
  /** Where to look for bwrap, instead of the system's own directories. */
  readonly places?: readonly string[]
  /** Where to make control groups, instead of wherever this process may. None: limits are watched from outside. */
  readonly cgroups?: readonly CgroupTree[]
  /** How many walls to keep built ahead, for an engine that lives long enough to use them. Default: none. */
  readonly warm?: number
}

/** Launches plans whose wall is bubblewrap: one wall for one command, built for it or ahead of it. Refuses every other plan. */
export function createBubblewrap(options: BubblewrapOptions = {}): Launcher {
  return new Bubblewrap(options)
}

type BubblewrapWall = Extract<Wall, { kind: 'bubblewrap' }>

function buildFor(plan: Plan, door: Door | null, shop: Workshop, wall: BubblewrapWall, io: LaunchIo): BuiltWall {
  if (door === null) return new BuiltWall(shop, plan, wall, io.stdin)
  const own = new Set(plan.env.map(([name]) => name))
  const env = [...plan.env, ...proxyVariables(door.port).filter(([name]) => !own.has(name))]
  return new BuiltWall(shop, { ...plan, env }, wall, io.stdin, { networkOf: door.pid })
}

class Bubblewrap implements Launcher {
  readonly #options: BubblewrapOptions
  readonly #watchdog = new Watchdog()
  readonly #fifos = new Fifos(this.#watchdog.directory)
  readonly #inherited = new InheritedDescriptors()
  readonly #reports = new MaskReports(`${this.#watchdog.directory}-masks`)
  readonly #active = new Map<Promise<unknown>, Stopper>()
  readonly #networks = new Map<string, ListedNetwork>()
  #found: Capabilities | null = null
  #shop: Workshop | null = null
  #warm: WarmWalls | null = null
  #closed = false

  constructor(options: BubblewrapOptions) {
    this.#options = options
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
    const door = await this.#doorFor(shop, wall, io)
    if (io.signal.aborted) {
      door?.close()
      return { how: 'killed', signal: 'SIGTERM', by: 'caller' }
    }
    const warm = this.#warmWalls(shop)
    const built = warm.take(plan, wall, io.stdin) ?? buildFor(plan, door, shop, wall, io)
    let stopper: Stopper | undefined
    const ended = built.conduct(plan, io, (own) => {
      stopper = own
    })
    if (stopper !== undefined) this.#active.set(ended, stopper)
    try {
      return await ended
    } finally {
      this.#active.delete(ended)
      door?.close()
      setImmediate(() => warm.refill(plan, wall, io.stdin))
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const stopper of this.#active.values()) stopper.force()
    await Promise.allSettled(this.#active.keys())
    await this.#warm?.close()
    await Promise.all([...this.#networks.values()].map((network) => network.close()))
    await this.#watchdog.release()
    this.#fifos.close()
    this.#reports.close()
    this.#inherited.close()
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
    }
    return { shop: this.#shop, wall: plan.wall }
  }

  /** A way to the hosts the plan lists; null where it lists none. One namespace for each list: no command gets at another's. */
  async #doorFor(shop: Workshop, wall: BubblewrapWall, io: LaunchIo): Promise<Door | null> {
    if (typeof wall.network !== 'object') return null
    if (wall.within !== undefined && process.getuid?.() !== 0) {
      io.onEvidence?.('network: none, because an ordinary user cannot have listed hosts and a transaction at once')
      return null
    }
    const key = JSON.stringify(wall.network.hosts)
    const network = this.#networks.get(key) ?? new ListedNetwork(shop.bwrap, wall.network.hosts, shop.mark)
    this.#networks.set(key, network)
    return network.open(({ host, port, outcome }) => io.onEvidence?.(`network: ${host}:${port} ${outcome}`))
  }

  #cgroups(): readonly CgroupTree[] {
    const trees = this.#options.cgroups ?? cgroupTrees()
    removeAbandoned(trees)
    return trees
  }

  #warmWalls(shop: Workshop): WarmWalls {
    this.#warm ??= new WarmWalls(shop, this.#options.warm ?? 0)
    return this.#warm
  }
}
