import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { CordonError } from '../../core/model/errors.js'
import { anonymousFile } from './anonymous-file.js'
import { sealed } from './inherited-descriptors.js'
import { ListedNetwork, type Said } from './listed-network.js'
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
  #next = 1
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

  /** `within`: see `ListedNetwork`. */
  async open(hosts: readonly string[], within: number | null): Promise<ListedNetwork> {
    const id = this.#next++
    const network = new ListedNetwork(hosts, within, {
      order: (words) => this.#order(words.replace(/^\w+/, (what) => `${what} ${id}`)),
      hold: (held) => this.#hold(id, held),
      over: () => void this.#open.delete(id),
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

  async close(): Promise<void> {
    if (this.#hasDied) return
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
