import { lookup } from 'node:dns/promises'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import { canonicalHost, isInward, type Leave, type Place } from './host-rules.js'

const CONNECT_MS = 15_000
const MAX_PORT = 65_535
const SAID_CHARS = 200

/** A host a command tried to reach, and what came of it. */
export interface Visit {
  readonly host: string
  /** Null where only its name was asked for. */
  readonly port: number | null
  readonly outcome: 'reached' | 'refused' | 'failed'
}

/** As it is told. */
export const visitInWords = ({ host, port, outcome }: Visit): string =>
  `network: ${isIPv6(host) ? `[${host}]` : host}${port === null ? '' : `:${port}`} ${outcome}`

export interface ProxyRules {
  readonly leaveFor: (host: string, port: number) => Leave
  readonly onVisit: (visit: Visit) => void
  /** Those that have leave and of which nothing else is known yet. */
  readonly underway?: Set<Place>
  /** Every address of a name. The host's own resolver, unless a test knows better. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

export type Way =
  | { readonly socket: Socket; readonly host: string }
  | { readonly outcome: 'refused' | 'failed'; readonly host: string }

const byResolver = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** Whether a name that has leave leads anywhere. */
export const isThere = (name: string, { resolve = byResolver }: Pick<ProxyRules, 'resolve'>): Promise<boolean> =>
  resolve(name).then(
    (addresses) => addresses.length > 0,
    () => false,
  )

/** A name is looked up once, here, and what was checked is what is connected to: it cannot lead elsewhere between the two. */
async function addressesOf(
  leave: Extract<Leave, { granted: true }>,
  port: number,
  { leaveFor, resolve = byResolver }: ProxyRules,
): Promise<readonly string[]> {
  const isListed = (address: string): boolean => {
    const own = leaveFor(address, port)
    return own.granted && own.inward
  }
  const addresses = isIP(leave.host) === 0 ? await resolve(leave.host) : [leave.host]
  return addresses.filter((address) => leave.inward || !isInward(address) || isListed(address))
}

function dial(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error('timed out')))
    socket.once('error', reject)
  })
}

/** `localhost` may be ::1 first, and nobody there. */
async function dialFirst(addresses: readonly string[], port: number): Promise<Socket> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await dial(address, port)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** What is shown of a name nobody has checked: escaped, and not too much of it. */
const shown = (host: string): string => JSON.stringify(host.slice(0, SAID_CHARS)).slice(1, -1)

/** A connection to where a command wants to go, if it may; either way the visit is told. */
export async function wayTo(host: string, port: number, rules: ProxyRules): Promise<Way> {
  // Only bytes that mean the same to everybody: a name in another encoding is spelled differently by whoever reads it next.
  const isPlain = /^[\x21-\x7e]+$/.test(host) && Number.isInteger(port) && port > 0 && port <= MAX_PORT
  const leave: Leave = isPlain ? rules.leaveFor(host, port) : { granted: false }
  const said = leave.granted ? leave.host : shown((isPlain && canonicalHost(host)) || host)
  const place: Place = { host: said, port }
  const tell = (outcome: Visit['outcome']): void => {
    rules.underway?.delete(place)
    rules.onVisit({ ...place, outcome })
  }
  if (leave.granted) rules.underway?.add(place)
  try {
    const addresses = leave.granted ? await addressesOf(leave, port, rules) : []
    if (addresses.length === 0) {
      tell('refused')
      return { outcome: 'refused', host: said }
    }
    const socket = await dialFirst(addresses, port)
    tell('reached')
    return { socket, host: said }
  } catch {
    tell('failed')
    return { outcome: 'failed', host: said }
  }
}

/** Both directions, each with its own end; when one side is gone, so is the other. */
export function join(client: Socket, server: Socket): void {
  client.pipe(server)
  server.pipe(client)
  client.on('error', () => client.destroy())
  client.on('close', () => server.destroy())
  server.on('error', () => client.destroy())
  server.on('close', () => client.destroy())
  // Who went while the way was looked for has closed already.
  if (client.destroyed) server.destroy()
}
