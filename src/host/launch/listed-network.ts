import { type ChildProcess, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { Server, type Socket } from 'node:net'
import { CordonError } from '../../core/model/errors.js'
import type { Argv } from './enter-namespace.js'
import { hostRules, withoutPort } from './host-rules.js'
import { proxyFor } from './proxy.js'
import type { Visit } from './proxy-way.js'

/**
 * Lives in a network namespace that has nothing but a loopback, listens there when asked, and hands the listening socket over: the
 * engine then accepts, outside, what connects inside. Its own copy is closed at once, or it would take half of the connections.
 */
const BROKER = `
const net = require('node:net')
process.on('disconnect', () => process.exit(0))
process.on('message', (id) => {
  const server = net.createServer()
  server.listen(0, '127.0.0.1', () => process.send({ id, port: server.address().port }, server, () => server.close()))
})
process.send({ id: 0, port: process.pid })
`

/** No fresh /dev: for one, bubblewrap would make two user namespaces, and the network would belong to the one nobody can enter. */
const NAMESPACE: readonly string[] = [
  ...['--unshare-net', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--'],
]

/** A network that is to be joined from within a transaction's user namespace must belong to that one. */
function brokerArgv(bwrap: string, within: number | null): Argv {
  const broker = [...NAMESPACE, process.execPath, '-e', BROKER]
  if (within === null) return [bwrap, '--unshare-user', ...broker]
  return [
    '/usr/bin/nsenter',
    '--user',
    '--preserve-credentials',
    '--mount',
    '--target',
    `${within}`,
    '--',
    bwrap,
    ...broker,
  ]
}

/** Each costs the engine two descriptors, which other commands need as well. */
const MAX_CONNECTIONS = 256

interface Opened {
  readonly port: number
  readonly server: Server
}

/** One door of the namespace: a port inside that is served by the proxy outside. */
export interface Door {
  /** The process whose network namespace a wall joins. */
  readonly pid: number
  readonly port: number
  /** By which programs inside find it. */
  readonly variables: readonly (readonly [string, string])[]
  close(): void
}

/** A network of listed hosts: a namespace without any route, and a proxy that is reached from inside alone. */
export class ListedNetwork {
  readonly #broker: ChildProcess
  readonly #hosts: readonly string[]
  readonly #leaveFor: ReturnType<typeof hostRules>
  readonly #wanted = new Map<number, (opened: Opened) => void>()
  readonly #ready: Promise<number>
  #count = 0

  /** `within`: the process of a transaction whose user namespace it is to be joined from; null for every other wall. */
  constructor(bwrap: string, hosts: readonly string[], mark: readonly [string, string], within: number | null = null) {
    this.#hosts = hosts
    this.#leaveFor = hostRules(hosts)
    const [program, ...args] = brokerArgv(bwrap, within)
    this.#broker = spawn(program, args, {
      cwd: '/',
      env: Object.fromEntries([mark]),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    })
    this.#ready = new Promise((resolve, reject) => {
      this.#broker.once('message', ({ port: pid }: { port: number }) => resolve(pid))
      this.#broker.once('exit', () =>
        reject(
          new CordonError(
            'SANDBOX_UNAVAILABLE',
            'The network of listed hosts could not be made here. Run `cordon doctor`.',
          ),
        ),
      )
      this.#broker.once('error', reject)
    })
    this.#ready.catch(() => undefined)
    this.#broker.on('message', (message: { id: number; port: number }, handle) => {
      if (handle instanceof Server) this.#wanted.get(message.id)?.({ port: message.port, server: handle })
    })
    this.#broker.unref()
    this.#broker.channel?.unref()
  }

  async open(onVisit: (visit: Visit) => void): Promise<Door> {
    const pid = await this.#ready
    refuseHostNetwork(pid)
    this.#count += 1
    const id = this.#count
    const { port, server } = await new Promise<Opened>((resolve, reject) => {
      this.#wanted.set(id, resolve)
      this.#broker.send(id, (error) => error && reject(error))
    })
    this.#wanted.delete(id)
    const clients = new Set<Socket>()
    const serve = proxyFor({ leaveFor: this.#leaveFor, onVisit })
    server.maxConnections = MAX_CONNECTIONS
    server.on('connection', (client) => {
      clients.add(client)
      client.on('close', () => clients.delete(client))
      serve(client)
    })
    server.unref()
    return {
      pid,
      port,
      variables: proxyVariables(port, this.#hosts),
      close: () => {
        server.close()
        for (const client of clients) client.destroy()
      },
    }
  }

  async close(): Promise<void> {
    if (this.#broker.exitCode !== null || this.#broker.signalCode !== null) return
    const gone = new Promise<void>((resolve) => this.#broker.once('exit', () => resolve()))
    this.#broker.ref()
    this.#broker.kill('SIGKILL')
    await gone
  }
}

/** A door of a network that is there for one command. */
export async function openOnce(network: ListedNetwork, onVisit: (visit: Visit) => void): Promise<Door> {
  try {
    const door = await network.open(onVisit)
    return {
      ...door,
      close: () => {
        door.close()
        void network.close()
      },
    }
  } catch (error) {
    await network.close()
    throw error
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

/** The wall's own loopback is reached without the proxy, unless the list says that the host's is meant. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1']

/** Variables by which programs find the proxy: there is no one spelling all of them read. */
function proxyVariables(port: number, hosts: readonly string[]): readonly (readonly [string, string])[] {
  const http = `http://127.0.0.1:${port}`
  const socks = `socks5h://127.0.0.1:${port}`
  const leaveFor = hostRules(hosts.map(withoutPort))
  const isListed = (name: string): boolean => {
    const leave = leaveFor(name, 1)
    return leave.granted && leave.inward
  }
  const direct = LOOPBACK.filter((name) => !isListed(name)).join(',')
  return [
    ...['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, http] as const),
    ...['all_proxy', 'ALL_PROXY'].map((name) => [name, socks] as const),
    ...['no_proxy', 'NO_PROXY'].map((name) => [name, direct] as const),
    ['NODE_USE_ENV_PROXY', '1'],
  ]
}
