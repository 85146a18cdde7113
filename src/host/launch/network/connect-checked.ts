import { connect, isIP, type Socket } from 'node:net'
import type { Transform } from 'node:stream'
import { canonicalHost, type HostAddress, type HostPermission, isInward } from './host-rules.js'

const CONNECT_MS = 15_000
const MAX_PORT = 65_535
const SHOWN_CHARS = 200

/** Host that a command tried to reach, and the outcome. */
export interface Visit {
  readonly host: string
  /** Null if the command only looked up the name. */
  readonly port: number | null
  readonly outcome: 'reached' | 'refused' | 'failed'
}

export interface ProxyRules {
  readonly permissionFor: (host: string, port: number) => HostPermission
  readonly onVisit: (visit: Visit) => void
  /** Allowed hosts with a pending outcome. */
  readonly pending?: Set<HostAddress>
  /** Returns all addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly string[]>
}

export type Connection =
  | { readonly socket: Socket; readonly host: string }
  | { readonly outcome: 'refused' | 'failed'; readonly host: string }

/** Tells if an allowed name resolves. */
export const resolves = (name: string, { resolve }: Pick<ProxyRules, 'resolve'>): Promise<boolean> =>
  resolve(name).then(
    (addresses) => addresses.length > 0,
    () => false,
  )

/**
 * Resolves a name once and checks its addresses. The connection uses these addresses, so the name cannot change in
 * between.
 */
async function addressesOf(
  permission: Extract<HostPermission, { granted: true }>,
  port: number,
  { permissionFor, resolve }: ProxyRules,
): Promise<readonly string[]> {
  const isListed = (address: string): boolean => {
    const own = permissionFor(address, port)
    return own.granted && own.inward
  }
  const addresses = isIP(permission.host) === 0 ? await resolve(permission.host) : [permission.host]
  return addresses.filter((address) => permission.inward || !isInward(address) || isListed(address))
}

/**
 * Connects to a server. Rejects if the client goes away meanwhile, so that servers never have more connections than
 * clients.
 */
function connectToAddress(address: string, port: number, client: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (client.destroyed) throw new Error('the client is gone')
    const socket = connect({ host: address, port, timeout: CONNECT_MS, allowHalfOpen: true })
    const abort = (): void => void socket.destroy(new Error('the client is gone'))
    client.once('close', abort)
    socket.once('connect', () => resolve(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error('timed out')))
    socket.on('error', reject)
    socket.once('close', () => client.off('close', abort))
  })
}

/** Tries each address in turn: `localhost` may be ::1 first, without a server there. */
async function connectToFirst(addresses: readonly string[], port: number, client: Socket): Promise<Socket> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await connectToAddress(address, port, client)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Escapes and shortens an unchecked host name. */
const shown = (host: string): string => JSON.stringify(host.slice(0, SHOWN_CHARS)).slice(1, -1)

/** Connects to a host if the rules allow it, and reports the visit. The connection ends with the client's. */
export async function connectTo(host: string, port: number, rules: ProxyRules, client: Socket): Promise<Connection> {
  // Only printable ASCII has one meaning for every program; another encoding would be spelled differently by the next
  // one.
  const isPlain = /^[\x21-\x7e]+$/.test(host) && Number.isInteger(port) && port > 0 && port <= MAX_PORT
  const permission: HostPermission = isPlain ? rules.permissionFor(host, port) : { granted: false }
  const shownHost = permission.granted ? permission.host : shown((isPlain && canonicalHost(host)) || host)
  const address: HostAddress = { host: shownHost, port }
  const report = (outcome: Visit['outcome']): void => {
    rules.pending?.delete(address)
    rules.onVisit({ ...address, outcome })
  }
  if (permission.granted) rules.pending?.add(address)
  try {
    const addresses = permission.granted ? await addressesOf(permission, port, rules) : []
    if (addresses.length === 0) {
      report('refused')
      return { outcome: 'refused', host: shownHost }
    }
    const socket = await connectToFirst(addresses, port, client)
    report('reached')
    return { socket, host: shownHost }
  } catch {
    report('failed')
    return { outcome: 'failed', host: shownHost }
  }
}

/**
 * Joins both directions, each with its own end. If one side closes, so does the other. `sent` transforms the client's
 * bytes, and the client's end is not forwarded.
 */
export function joinStreams(client: Socket, server: Socket, sent?: Transform): void {
  if (sent === undefined) client.pipe(server)
  else client.pipe(sent).pipe(server, { end: false })
  server.pipe(client)
  client.on('error', () => client.destroy())
  client.on('close', () => server.destroy())
  server.on('error', () => client.destroy())
  server.on('close', () => client.destroy())
  // A client that left during the connection attempt has closed already.
  if (client.destroyed) server.destroy()
}
