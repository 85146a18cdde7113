/** Names and values of extended attributes, one character per byte. */
export type AttributeValues = Readonly<Record<string, string>>

/** An order to the attribute helper. It answers each with one line, in order. */
export type AttributeOrder =
  | { readonly verb: 'read' | 'strip'; readonly places: readonly Buffer[] }
  | { readonly verb: 'write'; readonly place: Buffer; readonly wanted: AttributeValues }

/** Formats an order as the one line the helper reads. */
export function formatAttributeOrder(order: AttributeOrder): string {
  if (order.verb !== 'write') return [order.verb, ...order.places.map((place) => place.toString('hex'))].join(' ')
  const words = Object.entries(order.wanted).map(([name, value]) => `${hex(name)}:${hex(value)}`)
  return ['write', order.place.toString('hex'), ...words].join(' ')
}

/** Parses the answer to `read` or `strip`: the attributes of each path, or null for a failure. Never throws. */
export function parseAttributes(line: string | null, count: number): readonly (AttributeValues | null)[] {
  const words = line === null ? [] : line.split(' ')
  return Array.from({ length: count }, (_, index) => valuesIn(words[index]))
}

const WORD = /^(?:[0-9a-f]+:[0-9a-f]*(?:,[0-9a-f]+:[0-9a-f]*)*)?$/

function valuesIn(word: string | undefined): AttributeValues | null {
  if (word === undefined || !WORD.test(word)) return null
  const pairs = word === '' ? [] : word.split(',').map((pair) => pair.split(':'))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [text(name), text(value)]).sort())
}

const hex = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('hex')
const text = (word: string): string => Buffer.from(word, 'hex').toString('latin1')
