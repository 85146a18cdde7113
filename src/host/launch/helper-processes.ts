import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BubblewrapSandbox } from '../../core/model/policy/plan.js'
import type { ListedNetwork } from './network/listed-network.js'
import type { Resolve } from './network/name-lookups.js'
import { NetworkHelper, PERL } from './network/network-helper.js'
import type { HelperSetup } from './process/inherited-descriptors.js'
import type { Fifos } from './streams/fifos.js'
import { ZygoteHost } from './zygote/zygote-host.js'

export interface HelperProcessesOptions {
  /** Path of Perl, which starts and clones sandboxes and makes networks of listed hosts. Without it there are none. */
  readonly perl?: string
  /** Resolves names of listed hosts. Default: the host's resolver. */
  readonly resolve?: Resolve
}

/** Longest time that sandboxes wait for a zygote host that does not answer. */
const PATIENCE_MS = 3_000

/** Tells whether the network belongs to the namespace of an unprivileged user's transaction and ends with it. */
const hasOwnNetwork = ({ within, network }: BubblewrapSandbox): boolean =>
  typeof network === 'object' && within !== undefined && process.getuid?.() !== 0

/** Helper processes of a launcher. Each starts at its first use and is replaced if it was killed. */
export class HelperProcesses {
  readonly #setup: HelperSetup
  readonly #fifos: Fifos
  readonly #options: HelperProcessesOptions
  #zygoteHost: ZygoteHost | null = null
  #networkHelper: NetworkHelper | null = null

  constructor(setup: HelperSetup, fifos: Fifos, options: HelperProcessesOptions) {
    this.#setup = setup
    this.#fifos = fifos
    this.#options = options
  }

  /** Zygote host that works by now, or null. */
  get zygoteHostNow(): ZygoteHost | null {
    return this.#zygoteHost?.isUp ? this.#zygoteHost : null
  }

  /** Starts the zygote host. Returns null if this host has no Perl or forbids it to work. */
  async zygoteHost(): Promise<ZygoteHost | null> {
    const perl = this.#options.perl ?? PERL
    if (this.#zygoteHost?.hasDied) this.#zygoteHost = null
    this.#zygoteHost ??= existsSync(perl) ? ZygoteHost.start(perl, this.#fifos, this.#setup) : null
    const zygoteHost = this.#zygoteHost
    return (await zygoteHost?.ready) && zygoteHost?.isUp ? zygoteHost : null
  }

  /** Makes a network of the plan's listed hosts for one sandbox. Returns null if the plan lists none. */
  async networkFor(sandbox: BubblewrapSandbox): Promise<ListedNetwork | null> {
    if (typeof sandbox.network !== 'object') return null
    if (this.#networkHelper?.hasDied) this.#networkHelper = null
    this.#networkHelper ??= new NetworkHelper(this.#options.perl ?? PERL, this.#setup, this.#options.resolve)
    return this.#networkHelper.open(sandbox.network.hosts, hasOwnNetwork(sandbox) ? (sandbox.within ?? null) : null)
  }

  /**
   * Ends the helper processes after the sandboxes they serve. A zygote host that ends first would kill bubblewrap in
   * its first moments, and its children would live on as orphans.
   */
  async close(sandboxes: Promise<unknown> | undefined): Promise<void> {
    await Promise.race([sandboxes, sleep(PATIENCE_MS, undefined, { ref: false })])
    await this.#zygoteHost?.close()
    await sandboxes
    await this.#networkHelper?.close()
  }
}
