import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'
import { CordonError } from '../../../core/model/basics/errors.js'
import { hasSandboxCalls, perlHelper } from '../../helper-scripts/helper-script.js'
import { type FromNetwork, formatNetworkOrder, parseNetworkMessage } from '../../helper-scripts/network-protocol.js'
import { type HelperSetup, sealed } from '../process/inherited-descriptors.js'
import { anonymousFile } from '../streams/anonymous-file.js'
import { ListedNetwork } from './listed-network.js'
import { hostLookup, type Resolve } from './name-lookups.js'

/** Usual path of Perl. */
export const PERL = '/usr/bin/perl'
const SCRIPT_FD = 3
/**
 * Number of messages of one network, after which each is delayed by a millisecond. A command can query and connect
 * without end, and the engine serves others.
 */
const FAST_MESSAGES = 1_000

/**
 * Runs a small process that makes networks of listed hosts, one for each command, and passes their connections to the
 * engine. It ends with the engine, and keeps the engine's process alive only while it makes a network.
 */
export class NetworkHelper {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  readonly #resolve: Resolve
  readonly #open = new Map<number, ListedNetwork>()
  readonly #held = new Set<number>()
  #next = 1
  #hasDied = false

  /** Throws SANDBOX_UNAVAILABLE without Perl: no other program here can make a network and pass sockets. */
  constructor(perl: string, { engineVariable, inherited }: HelperSetup, resolve: Resolve = hostLookup(inherited)) {
    if (!hasSandboxCalls() || !existsSync(perl)) {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        `Listed hosts need Perl, and ${perl} does not exist. Install Perl, or use a profile whose network is none or full.`,
      )
    }
    this.#resolve = resolve
    const file = anonymousFile(Buffer.from(perlHelper('network.pl')))
    this.#child = spawn(perl, [`/dev/fd/${SCRIPT_FD}`, process.arch, `${FAST_MESSAGES}`, 'cordon-networks'], {
      cwd: '/',
      env: Object.fromEntries([engineVariable]),
      stdio: sealed(['ignore', 'ignore', 'ignore', file, 'ipc'], inherited.list(), inherited.devNull),
      detached: true,
    })
    closeSync(file)
    this.#gone = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.once('error', () => resolve())
    })
    void this.#gone.then(() => {
      this.#hasDied = true
      for (const network of this.#open.values()) network.onHelperGone()
    })
    const hear = (message: unknown, handle: unknown): void => {
      const client = handle instanceof Socket ? handle : undefined
      contained(
        () => this.#hear(parseNetworkMessage(message), client),
        () => void client?.destroy(),
      )()
    }
    this.#child.on('message', hear)
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get hasDied(): boolean {
    return this.#hasDied
  }

  /** `within`: see `ListedNetwork`. */
  async open(hosts: readonly string[], within: number | null): Promise<ListedNetwork> {
    const id = this.#next++
    const network = new ListedNetwork(hosts, within, {
      network: id,
      order: (order) => this.#order(formatNetworkOrder(order)),
      hold: (held) => this.#hold(id, held),
      over: () => void this.#open.delete(id),
      resolve: this.#resolve,
    })
    this.#open.set(id, network)
    if (this.#hasDied) network.onHelperGone()
    try {
      await network.ready
      return network
    } catch (error) {
      network.close()
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#hasDied) return
    this.#child.ref()
    for (const network of [...this.#open.values()]) network.close()
    if (this.#child.connected) this.#child.disconnect()
    await this.#gone
  }

  #hear(message: FromNetwork | null, client: Socket | undefined): void {
    const network = message === null ? undefined : this.#open.get(message.network)
    if (message === null || network === undefined) client?.destroy()
    else network.hear(message.message, client)
  }

  #order(line: string): void {
    if (this.#child.connected) this.#child.send(line, () => undefined)
  }

  #hold(id: number, held: boolean): void {
    if (held) this.#held.add(id)
    else this.#held.delete(id)
    if (this.#held.size > 0) this.#child.channel?.ref()
    else this.#child.channel?.unref()
  }
}
