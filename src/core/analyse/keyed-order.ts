import type { Variable } from './state.js'
import type { Value } from './value.js'

/** Buckets bash starts an array with names for keys with. It makes more of them only past twice as many elements. */
const BUCKETS = 1_024

/** The bucket bash keeps a name in: FNV-1 over its bytes. */
function bucketOf(key: string): number {
  let hash = 2_166_136_261
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash, 16_777_619) ^ byte
  return hash & (BUCKETS - 1)
}

/** An array's elements in the order bash lists them: by number, or, where keys are names, by bucket and the latest first. */
export function listed({ items, attributes }: Variable): readonly (readonly [string, Value])[] {
  const entries = items ? [...items] : []
  if (entries.length < 2 || entries.length >= 2 * BUCKETS || !attributes.includes('A')) return entries
  return entries
    .reverse()
    .map((entry) => [bucketOf(entry[0]), entry] as const)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry)
}
