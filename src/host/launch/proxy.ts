import type { Socket } from 'node:net'
import { httpProxy } from './proxy-http.js'
import type { ProxyRules } from './proxy-way.js'

/** Long enough for any program, too short to hold connections open for nothing. */
const HEAD_MS = 30_000

/** How many requests of each connection are under way; one with none for long is cut off. */
class Patience {
  readonly #ms: number
  readonly #busy = new WeakMap<Socket, number>()
  readonly #timers = new WeakMap<Socket, NodeJS.Timeout>()

  constructor(ms: number) {
    this.#ms = ms
  }

  await(client: Socket): void {
    clearTimeout(this.#timers.get(client))
    this.#timers.set(client, setTimeout(() => client.destroy(), this.#ms).unref())
  }

  forget(client: Socket): void {
    clearTimeout(this.#timers.get(client))
  }

  /** The client has said what it wants; what is returned says that it has got it. */
  busy(client: Socket): () => void {
    this.#busy.set(client, (this.#busy.get(client) ?? 0) + 1)
    this.forget(client)
    return () => {
      const left = (this.#busy.get(client) ?? 1) - 1
      this.#busy.set(client, left)
      if (left === 0 && !client.destroyed) this.await(client)
    }
  }
}

/** Serves connections from inside a sandbox: HTTP and CONNECT. */
export function proxyFor(rules: ProxyRules): (client: Socket) => void {
  const patience = new Patience(rules.headMs ?? HEAD_MS)
  const http = httpProxy(rules, (client) => patience.busy(client))
  return (client) => {
    client.allowHalfOpen = true
    client.on('error', () => client.destroy())
    client.on('close', () => patience.forget(client))
    patience.await(client)
    http.emit('connection', client)
  }
}
