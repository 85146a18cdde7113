import { createHash } from 'node:crypto'
import type { Ended, Intent } from '../../core/model/audit.js'
import type { ProcessIdentity } from './process-identity.js'

/** What one row of the log says. */
export type Body =
  | { readonly kind: 'began'; readonly id: string; readonly event: Intent; readonly process: ProcessIdentity }
  | { readonly kind: 'ended'; readonly id: string; readonly event: Ended }

/** What the first row follows. */
export const GENESIS = '0'.repeat(64)

/** The digest of a row: over the digest before it, its place and its body. */
export const digestOf = (previous: string, seq: number, body: string): string =>
  createHash('sha256').update(`${previous}\n${seq}\n${body}`).digest('hex')

/** JSON with sorted keys: one value, one text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item === undefined ? null : item)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
