import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { NetworkMessage, NetworkOrder } from '../../helper-scripts/network-protocol.js'
import { addressBytes } from './address-bytes.js'
import { connectTo, joinStreams, type ProxyRules, resolves, type Visit } from './connect-checked.js'
import { NameServer } from './dns-server.js'
import { type HostAddress, hostRules } from './host-rules.js'
import { ListedNames } from './listed-names.js'
import { NameLookups, type Resolve } from './name-lookups.js'
import { proxyFor } from './proxy-http.js'
import { proxyVariables } from './proxy-variables.js'
import { hostResolver } from './resolver-settings.js'
import { hostLoopback, isLoopback, servedPorts } from './served-addresses.js'

/** Each connection takes two of the engine's descriptors, which other commands need too. */
const MAX_CONNECTIONS = 256
/** Longest wait for pending connections after the end of a command. */
const SETTLE_MS = 200

interface NetworkClient {
  readonly network: number
  order(order: NetworkOrder): void
  /** Decides if it keeps the engine's process alive: during its creation, and while a command uses it. */
  hold(held: boolean): void
  over(): void
  readonly resolve: Resolve
}

/** Network of one command. It shares nothing, and everything that leaves it passes here. */
export class ListedNetwork {
  readonly #helper: NetworkClient
  readonly #names: ListedNames
  readonly #lookups: NameLookups
  readonly #server: NameServer
  readonly #rules: ProxyRules
  readonly #proxy: (client: Socket) => void
  readonly #clients = new Set<Socket>()
  readonly #pending = new Set<HostAddress>()
  #onVisit: (visit: Visit) => void = () => undefined
  #made: (message: NetworkMessage | null) => void = () => undefined
  #settle: () => void = () => undefined
  #isLost = false
  #proxyPort = 0
  #pid = 0
  #isOpen = false
  /** Settles once a sandbox can join it. */
  readonly ready: Promise<void>

  /** `within` is the process of a transaction whose user namespace owns the network. Null for other sandboxes. */
  constructor(hosts: readonly string[], within: number | null, helper: NetworkClient) {
    this.#helper = helper
    helper.hold(true)
    const { servers, search } = hostResolver()
    const report = (visit: Visit): void => this.#onVisit(visit)
    this.#names = new ListedNames(hosts)
    this.#lookups = new NameLookups(helper.resolve)
    this.#server = new NameServer(this.#names, search, {
      resolves: (name) => resolves(name, this.#rules),
      onRefused: (host) => report({ host, port: null, outcome: 'refused' }),
    })
    this.#rules = {
      permissionFor: hostRules(hosts),
      onVisit: report,
      pending: this.#pending,
      resolve: (name) => this.#lookups.addressesOf(name),
    }
    this.#proxy = proxyFor(this.#rules)
    this.ready = new Promise<NetworkMessage | null>((resolve) => {
      this.#made = resolve
    }).then((message) => this.#begin(message))
    this.ready.catch(() => undefined)
    helper.order({
      verb: 'open',
      network: helper.network,
      within,
      loopback: hostLoopback(hosts),
      ports: servedPorts(hosts),
      servers: servers.map(addressBytes).filter((address) => address !== null),
    })
  }

  /** Process whose network namespace a sandbox joins. */
  get pid(): number {
    return this.#pid
  }

  /** True if programs reach listed hosts without the proxy too. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Adds the proxy variables to a plan's environment. The plan's own variables take precedence. */
  plan(plan: Plan): Plan {
    const own = new Set(plan.env.map(([name]) => name))
    const variables = proxyVariables(this.#proxyPort)
    return { ...plan, env: [...plan.env, ...variables.filter(([name]) => !own.has(name))] }
  }

  startReporting(onVisit: (visit: Visit) => void): void {
    this.#onVisit = onVisit
    this.#helper.hold(true)
  }

  hear(message: NetworkMessage, client: Socket | undefined): void {
    if (client !== undefined) this.#accept(client)
    else if (message.kind === 'made' || message.kind === 'failed') this.#made(message)
    else if (message.kind === 'question') void this.#answer(message.from, message.bytes)
    else if (message.kind === 'settled') this.#settle()
    else if (message.kind === 'lost') this.onHelperGone()
  }

  /** Settles after all attempts so far have been reported. Reports pending ones as failed. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve
      if (this.#isLost) resolve()
      else this.#helper.order({ verb: 'settle', network: this.#helper.network })
    })
    const deadline = performance.now() + SETTLE_MS
    while (this.#pending.size > 0 && performance.now() < deadline) await sleep(1)
    for (const address of this.#pending) this.#onVisit({ ...address, outcome: 'failed' })
  }

  /** Ends the network after its helper process has gone. */
  onHelperGone(): void {
    this.#isLost = true
    this.#made(null)
    this.close()
  }

  close(): void {
    this.#onVisit = () => undefined
    this.#helper.order({ verb: 'close', network: this.#helper.network })
    this.#helper.hold(false)
    this.#helper.over()
    for (const client of this.#clients) client.destroy()
    this.#lookups.close()
    this.#settle()
  }

  #begin(message: NetworkMessage | null): void {
    if (message?.kind !== 'made') {
      const cause = message?.kind === 'failed' ? ` (${message.why})` : ''
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        `Cordon could not make the network of listed hosts${cause}. Run \`cordon doctor\`.`,
      )
    }
    refuseHostNetwork(message.pid)
    this.#helper.hold(false)
    this.#pid = message.pid
    this.#isOpen = message.isOpen
    this.#proxyPort = message.port
  }

  #accept(client: Socket): void {
    const { localPort: port, localAddress = '' } = client
    if (this.#clients.size >= MAX_CONNECTIONS || port === undefined) {
      client.destroy()
      return
    }
    this.#clients.add(client)
    client.on('close', () => this.#clients.delete(client))
    const address = localAddress.replace(/^::ffff:/, '')
    if (address === '127.0.0.1' && port === this.#proxyPort) {
      this.#proxy(client)
      return
    }
    client.allowHalfOpen = true
    client.on('error', () => client.destroy())
    void this.#forward(client, this.#hostAt(address, port), port)
  }

  /** Returns the host that a program means by an address. */
  #hostAt(address: string, port: number): string {
    const isOwn = isLoopback(address) && !this.#rules.permissionFor(address, port).granted
    return isOwn ? 'localhost' : this.#names.hostAt(address)
  }

  /**
   * Connects a program that does not use the proxy and is connected already. Its host is checked like a proxy request.
   */
  async #forward(client: Socket, host: string, port: number): Promise<void> {
    const connection = await connectTo(host, port, this.#rules, client)
    if ('outcome' in connection) client.resetAndDestroy()
    else joinStreams(client, connection.socket)
  }

  async #answer(to: string, question: Buffer): Promise<void> {
    const bytes = await this.#server.reply(question)
    if (bytes !== null) this.#helper.order({ verb: 'answer', network: this.#helper.network, to, bytes })
  }
}

/** Rejects the host's own network namespace, which would give access to the whole internet. */
function refuseHostNetwork(pid: number): void {
  if (readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net')) return
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    'Cordon could not separate the network of listed hosts from the host. Run `cordon doctor`.',
  )
}
