import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '../../core/model/plan.js'
import type { Fifos } from './fifos.js'
import type { InheritedDescriptors } from './inherited-descriptors.js'
import type { ListedNetwork } from './listed-network.js'
import { NetworkKeeper, PERL } from './network-keeper.js'
import { Nursery } from './nursery.js'
import type { ProxyRules } from './proxy-way.js'

/** What the helper processes of a launcher are started with. */
export interface Service {
  /** The variable by which they are recognised from outside. */
  readonly mark: readonly [string, string]
  readonly inherited: InheritedDescriptors
}

export interface ServantOptions {
  /** Where to look for Perl, by which sandboxes are started and copied, and networks of listed hosts made; without it there are none. */
  readonly perl?: string
  /** How names of listed hosts are resolved, instead of by the host. */
  readonly resolve?: ProxyRules['resolve']
}

/** A nursery that does not answer holds up the sandboxes that wait for it no longer than this. */
const PATIENCE_MS = 3_000

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

/** Listed hosts of an ordinary user's transaction: its network belongs to its namespace and ends with it. */
const hasOwnNetwork = ({ within, network }: BubblewrapWall): boolean =>
  typeof network === 'object' && within !== undefined && process.getuid?.() !== 0

/** The servants of a launcher: each is started when it is first needed, and one that was killed is replaced. */
export class Servants {
  readonly #service: Service
  readonly #fifos: Fifos
  readonly #options: ServantOptions
  #nursery: Nursery | null = null
  #keeper: NetworkKeeper | null = null

  constructor(service: Service, fifos: Fifos, options: ServantOptions) {
    this.#service = service
    this.#fifos = fifos
    this.#options = options
  }

  /** The nursery that works by now, if there is one. */
  get nurseryNow(): Nursery | null {
    return this.#nursery?.isUp ? this.#nursery : null
  }

  /** Null where this host has no Perl, or lets none work. */
  async nursery(): Promise<Nursery | null> {
    const perl = this.#options.perl ?? PERL
    if (this.#nursery?.hasDied) this.#nursery = null
    this.#nursery ??= existsSync(perl) ? Nursery.start(perl, this.#fifos, this.#service) : null
    const nursery = this.#nursery
    return (await nursery?.ready) && nursery?.isUp ? nursery : null
  }

  /** A network of the hosts the plan lists, for one wall and no other; null where it lists none. */
  async networkFor(wall: BubblewrapWall): Promise<ListedNetwork | null> {
    if (typeof wall.network !== 'object') return null
    if (this.#keeper?.hasDied) this.#keeper = null
    this.#keeper ??= new NetworkKeeper(this.#options.perl ?? PERL, this.#service, this.#options.resolve)
    return this.#keeper.open(wall.network.hosts, hasOwnNetwork(wall) ? (wall.within ?? null) : null)
  }

  /**
   * Ends them once the sandboxes they serve are gone. A nursery that ends first would kill bubblewrap in its first moments, whose
   * children are then nobody's and live on.
   */
  async close(walls: Promise<unknown> | undefined): Promise<void> {
    await Promise.race([walls, sleep(PATIENCE_MS, undefined, { ref: false })])
    await this.#nursery?.close()
    await walls
    await this.#keeper?.close()
  }
}
