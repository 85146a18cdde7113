/** Order to the network helper. Addresses are hexadecimal. */
export type NetworkOrder =
  | {
      readonly verb: 'open'
      readonly network: number
      /** Process of the transaction whose user namespace owns the network. Null for other sandboxes. */
      readonly within: number | null
      /** `address:port` to listen on inside, besides the proxy. */
      readonly loopback: readonly string[]
      readonly ports: readonly number[]
      /** Addresses of name servers. */
      readonly servers: readonly string[]
    }
  | { readonly verb: 'answer'; readonly network: number; readonly to: string; readonly bytes: Buffer }
  | { readonly verb: 'settle' | 'close'; readonly network: number }

/** Formats an order as the string the network helper reads. */
export function formatNetworkOrder(order: NetworkOrder): string {
  switch (order.verb) {
    case 'open': {
      const lists = [order.loopback, order.ports, order.servers].map((list) => list.join(','))
      return ['open', order.network, order.within ?? 0, ...lists].join(' ')
    }
    case 'answer':
      return `answer ${order.network} ${order.to} ${order.bytes.toString('hex')}`
    case 'settle':
    case 'close':
      return `${order.verb} ${order.network}`
  }
}

/** Message of the network helper about a network. */
export type NetworkMessage =
  /** Process whose namespace a sandbox joins, the proxy's port there, and if other ports are served too. */
  | { readonly kind: 'made'; readonly pid: number; readonly port: number; readonly isOpen: boolean }
  | { readonly kind: 'failed'; readonly why: string }
  /** Question for a name server, and the address of the program that asked. */
  | { readonly kind: 'question'; readonly from: string; readonly bytes: Buffer }
  /** All earlier events have been reported. */
  | { readonly kind: 'settled' }
  /** Its process has ended. */
  | { readonly kind: 'lost' }
  /** Arrives with a socket. */
  | { readonly kind: 'connection' }

export interface FromNetwork {
  readonly network: number
  readonly message: NetworkMessage
}

/** Parses a message of the network helper, or returns null. Never throws. */
export function parseNetworkMessage(sent: unknown): FromNetwork | null {
  if (typeof sent !== 'object' || sent === null) return null
  const fields: Readonly<Record<string, unknown>> = { ...sent }
  const { network } = fields
  if (!isCount(network)) return null
  const message = messageOf(fields)
  return message === null ? null : { network, message }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

function messageOf({ network, ...fields }: Readonly<Record<string, unknown>>): NetworkMessage | null {
  const { pid, port, isOpen, failed, from, asks } = fields
  if (isCount(pid) && isCount(port)) return { kind: 'made', pid, port, isOpen: isOpen === true }
  if (typeof failed === 'string') return { kind: 'failed', why: failed }
  if (typeof from === 'string' && typeof asks === 'string')
    return { kind: 'question', from, bytes: Buffer.from(asks, 'hex') }
  if (fields['isSettled'] === true) return { kind: 'settled' }
  if (fields['isLost'] === true) return { kind: 'lost' }
  return Object.keys(fields).length === 0 ? { kind: 'connection' } : null
}
