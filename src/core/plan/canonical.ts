import { sha256 } from '@noble/hashes/sha2.js'

const ENCODER = new TextEncoder()

/** JSON with the keys of every object in order, so that equal values have one text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

/** SHA-256 of a text, in hexadecimal. */
export function digestText(text: string): string {
  return Array.from(sha256(ENCODER.encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** SHA-256 of a value's canonical JSON: equal values, equal digests, whatever the order of their keys. */
export const digestOf = (value: unknown): string => digestText(canonicalJson(value))
