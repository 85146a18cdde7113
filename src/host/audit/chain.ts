import { createHash } from 'node:crypto'
import type { AuditRecord, Ended, Intent } from '../../core/model/run/audit.js'
import type { AnswerRecord } from '../../engine/ports/answer-log.js'
import type { ProcessIdentity } from './process-identity.js'

/** Content of one row of the log. */
export type Body =
  | { readonly kind: 'began'; readonly id: string; readonly event: Intent; readonly process: ProcessIdentity }
  | { readonly kind: 'ended'; readonly id: string; readonly event: Ended }
  /** The id of these three is that of an approval. */
  | { readonly kind: 'answered'; readonly id: string; readonly event: AnswerRecord; readonly signature: string }
  | { readonly kind: 'used'; readonly id: string; readonly event: { readonly at: string } }
  | { readonly kind: 'forged'; readonly id: string; readonly event: AuditRecord }

/** Previous digest of the first row. */
export const GENESIS = '0'.repeat(64)

/** Returns the digest of a row: over the previous digest, its number and its body. */
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
