import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { CordonError } from '../../core/model/errors.js'
import { anonymousFile } from './anonymous-file.js'
import { sealed } from './inherited-descriptors.js'
import { ListedNetwork, type Said } from './listed-network.js'
import { hostResolver } from './name-servers.js'
import { networkScript } from './network-script.js'
import type { ProxyRules } from './proxy-way.js'
import type { Service } from './servants.js'

/** Where Perl is, everywhere. */
export const PERL = '/usr/bin/perl'
const SCRIPT_FD = 3

const isSaid = (message: unknown): message is Said =>
  typeof message === 'object' && message !== null && 'network' in message

/**
 * A small process that makes networks of listed hosts, one for each command, and hands over the connections that leave them. It ends with
 * the engine, and does not keep the engine's process alive but while a network is being made.
 */
export class NetworkKeeper {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  readonly #resolve: ProxyRules['resolve']
  readonly #open = new Map<number, ListedNetwork>()
  readonly #held = new Set<number>()
  /** One that nobody has asked for yet. */
  #spare: { readonly key: string; readonly network: Promise<ListedNetwork | null> } | null = null
  /** What was asked for last, and what was more than once. */
  #asked = ''
  #usual = ''
  #next = 1
  #isClosed = false
  #hasDied = false

  /** Throws SANDBOX_UNAVAILABLE where there is no Perl: nothing else here can make a network and hand sockets over. */
  constructor(perl: string, { mark, inherited }: Service, resolve: ProxyRules['resolve']) {
    const script = networkScript()
    if (script === null || !existsSync(perl)) {
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        `A network of listed hosts is made by Perl, and there is none at ${perl}. Install it, or use a profile whose network is none or full.`,
      )
    }
    this.#resolve = resolve
    const file = anonymousFile(Buffer.from(script))
    this.#child = spawn(perl, [`/dev/fd/${SCRIPT_FD}`, 'cordon-networks'], {
      cwd: '/',
      env: Object.fromEntries([mark]),
      stdio: sealed(['ignore', 'ignore', 'ignore', file, 'ipc'], inherited.list(), inherited.nothing),
      detached: true,
    })
    closeSync(file)
    this.#gone = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.once('error', () => resolve())
    })
    void this.#gone.then(() => {
      this.#hasDied = true
      for (const network of this.#open.values()) network.lose()
    })
    this.#child.on('message', (message: unknown, handle: unknown) => {
      if (isSaid(message)) this.#hear(message, handle instanceof Socket ? handle : undefined)
    })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get hasDied(): boolean {
    return this.#hasDied
  }

  /** `within`: see `ListedNetwork`. What is asked for again and again is made ahead, to be had at once. */
  async open(hosts: readonly string[], within: number | null): Promise<ListedNetwork> {
    if (within !== null) return this.#make(hosts, within, () => undefined)
    const key = JSON.stringify([hosts, hostResolver()])
    if (key === this.#asked) this.#usual = key
    this.#asked = key
    const spare = this.#spare?.key === key ? this.#spare.network : null
    if (spare !== null) this.#spare = null
    const ready = await spare
    if (ready && !ready.isLost) return ready
    return this.#make(hosts, null, () => this.#makeAhead(key, hosts))
  }

  async #make(hosts: readonly string[], within: number | null, onOver: () => void): Promise<ListedNetwork> {
    const id = this.#next++
    const network = new ListedNetwork(hosts, within, {
      order: (words) => this.#order(words.replace(/^\w+/, (what) => `${what} ${id}`)),
      hold: (held) => this.#hold(id, held),
      over: () => this.#open.delete(id) && onOver(),
      resolve: this.#resolve,
    })
    this.#open.set(id, network)
    if (this.#hasDied) network.lose()
    try {
      await network.ready
      return network
    } catch (error) {
      network.close()
      throw error
    }
  }

  /** When the one before is over, so that it takes nothing from whoever was waiting for that. */
  #makeAhead(key: string, hosts: readonly string[]): void {
    if (this.#isClosed || this.#hasDied || key !== this.#usual || this.#spare?.key === key) return
    void this.#spare?.network.then((stale) => stale?.close())
    const network = this.#make(hosts, null, () => this.#makeAhead(key, hosts)).catch(() => null)
    this.#spare = { key, network }
  }

  async close(): Promise<void> {
    if (this.#hasDied) return
    this.#isClosed = true
    this.#child.ref()
    for (const network of [...this.#open.values()]) network.close()
    if (this.#child.connected) this.#child.disconnect()
    await this.#gone
  }

  #hear(said: Said, client: Socket | undefined): void {
    const network = this.#open.get(said.network)
    if (network === undefined) client?.destroy()
    else network.hear(said, client)
  }

  #order(words: string): void {
    if (this.#child.connected) this.#child.send(words, () => undefined)
  }

  #hold(id: number, held: boolean): void {
    if (held) this.#held.add(id)
    else this.#held.delete(id)
    if (this.#held.size > 0) this.#child.channel?.ref()
    else this.#child.channel?.unref()
  }
}
