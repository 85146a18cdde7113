import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../core/model/errors.js'
import type { Plan } from '../../core/model/plan.js'
import { addressBytes } from './address-bytes.js'
import { hostRules, type Place } from './host-rules.js'
import { ListedNames } from './listed-names.js'
import { NameServer } from './name-server.js'
import { hostResolver } from './name-servers.js'
import { proxyFor } from './proxy-http.js'
import { proxyVariables } from './proxy-variables.js'
import { isThere, join, type ProxyRules, type Visit, wayTo } from './proxy-way.js'
import { hostLoopback, isLoopback, servedPorts } from './served-places.js'

/** Each costs the engine two descriptors, which other commands need as well. */
const MAX_CONNECTIONS = 256
/** A command that is over has not waited for these, and nobody waits long for them. */
const LAST_MS = 200

/** What the process that keeps a network says of it. */
export interface Said {
  readonly network: number
  /** It is made: the process whose namespace a wall joins, the proxy's port there, and whether other ports are served as well. */
  readonly pid?: number
  readonly port?: number
  readonly isOpen?: boolean
  /** Why it could not be made. */
  readonly failed?: string
  /** A question for a name server, and by what to find whoever asked. */
  readonly from?: string
  readonly asks?: string
  /** All that happened before it was asked has been told. */
  readonly isSettled?: true
  /** Its process is gone. */
  readonly isLost?: true
}

interface Keeping {
  order(words: string): void
  /** Whether it keeps the engine's process alive: while it is made, and while a command is in it. */
  hold(held: boolean): void
  over(): void
  readonly resolve: ProxyRules['resolve']
}

/** One command's network: nothing of it is shared, and everything that leaves it passes here. */
export class ListedNetwork {
  readonly #keeping: Keeping
  readonly #names: ListedNames
  readonly #server: NameServer
  readonly #rules: ProxyRules
  readonly #proxy: (client: Socket) => void
  readonly #clients = new Set<Socket>()
  readonly #underway = new Set<Place>()
  #onVisit: (visit: Visit) => void = () => undefined
  #made: (said: Said | null) => void = () => undefined
  #settle: () => void = () => undefined
  #isLost = false
  #proxyPort = 0
  #pid = 0
  #isOpen = false
  /** Settles when a wall can join it. */
  readonly ready: Promise<void>

  /** `within`: the process of a transaction whose user namespace it is to be joined from; null for every other wall. */
  constructor(hosts: readonly string[], within: number | null, keeping: Keeping) {
    this.#keeping = keeping
    keeping.hold(true)
    const { servers, search } = hostResolver()
    const tell = (visit: Visit): void => this.#onVisit(visit)
    this.#names = new ListedNames(hosts)
    this.#server = new NameServer(this.#names, search, {
      isThere: (name) => isThere(name, this.#rules),
      onRefused: (host) => tell({ host, port: null, outcome: 'refused' }),
    })
    this.#rules = {
      leaveFor: hostRules(hosts),
      onVisit: tell,
      underway: this.#underway,
      ...(keeping.resolve ? { resolve: keeping.resolve } : {}),
    }
    this.#proxy = proxyFor(this.#rules)
    this.ready = new Promise<Said | null>((resolve) => {
      this.#made = resolve
    }).then((said) => this.#begin(said))
    this.ready.catch(() => undefined)
    const lists = [hostLoopback(hosts), servedPorts(hosts), servers.map(addressBytes)]
    keeping.order(`open ${within ?? 0} ${lists.map((list) => list.join(',')).join(' ')}`)
  }

  /** The process whose network namespace a wall joins. */
  get pid(): number {
    return this.#pid
  }

  /** Listed hosts are reached without the proxy as well. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The plan with the way to the proxy in its environment; what the plan itself says about that stands. */
  plan(plan: Plan): Plan {
    const own = new Set(plan.env.map(([name]) => name))
    const variables = proxyVariables(this.#proxyPort)
    return { ...plan, env: [...plan.env, ...variables.filter(([name]) => !own.has(name))] }
  }

  /** From here on visits are told. */
  attend(onVisit: (visit: Visit) => void): void {
    this.#onVisit = onVisit
    this.#keeping.hold(true)
  }

  hear(said: Said, client: Socket | undefined): void {
    if (client !== undefined) this.#accept(client)
    else if (said.pid !== undefined || said.failed !== undefined) this.#made(said)
    else if (said.asks !== undefined) void this.#answer(said.from ?? '', said.asks)
    else if (said.isSettled) this.#settle()
    else if (said.isLost) this.lose()
  }

  /** Settles when everything that programs have tried until now has been told. What has not been reached by then will not be. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve
      if (this.#isLost) resolve()
      else this.#keeping.order('settle')
    })
    const patience = performance.now() + LAST_MS
    while (this.#underway.size > 0 && performance.now() < patience) await sleep(1)
    for (const place of this.#underway) this.#onVisit({ ...place, outcome: 'failed' })
  }

  /** Whoever kept it is gone. */
  lose(): void {
    this.#isLost = true
    this.#made(null)
    this.close()
  }

  close(): void {
    this.#onVisit = () => undefined
    this.#keeping.order('close')
    this.#keeping.hold(false)
    this.#keeping.over()
    for (const client of this.#clients) client.destroy()
    this.#settle()
  }

  #begin(said: Said | null): void {
    const { pid, port } = said ?? {}
    if (pid === undefined || port === undefined) {
      const cause = said?.failed === undefined ? '' : ` (${said.failed})`
      throw new CordonError(
        'SANDBOX_UNAVAILABLE',
        `The network of listed hosts could not be made here${cause}. Run \`cordon doctor\`.`,
      )
    }
    refuseHostNetwork(pid)
    this.#keeping.hold(false)
    this.#pid = pid
    this.#isOpen = said?.isOpen ?? false
    this.#proxyPort = port
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
    void this.#passOn(client, this.#hostAt(address, port), port)
  }

  /** What a program means by an address. */
  #hostAt(address: string, port: number): string {
    const isOwn = isLoopback(address) && !this.#rules.leaveFor(address, port).granted
    return isOwn ? 'localhost' : this.#names.hostAt(address)
  }

  /** A program that knows of no proxy has connected already; what it meant is checked as if it had asked one. */
  async #passOn(client: Socket, host: string, port: number): Promise<void> {
    const way = await wayTo(host, port, this.#rules)
    if ('outcome' in way) client.resetAndDestroy()
    else join(client, way.socket)
  }

  async #answer(from: string, asks: string): Promise<void> {
    const answer = await this.#server.reply(Buffer.from(asks, 'hex'))
    if (answer !== null) this.#keeping.order(`answer ${from} ${answer.toString('hex')}`)
  }
}

/** Joining by mistake the network of the host would be the whole internet. */
function refuseHostNetwork(pid: number): void {
  if (readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net')) return
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    'The network of listed hosts could not be separated from the host. Run `cordon doctor`.',
  )
}
