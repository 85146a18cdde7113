import { CordonError } from './errors.js'

/** An id of a request begins with the millisecond it came in: that many characters. */
const TIME_CHARS = 8
/** Fewer would soon name two approvals, whose ids are random. */
const LEAST_CHARS = 4

/** The beginning of a request's id that people are shown. Only a request of the same millisecond begins like it. */
export const shortId = (id: string): string => id.slice(0, TIME_CHARS)

/** The shortest beginning of an id, from four characters on, that none of the others has. */
export function uniquePrefix(id: string, all: readonly string[]): string {
  const others = all.filter((other) => other !== id)
  for (let length = LEAST_CHARS; length < id.length; length++) {
    const prefix = id.slice(0, length)
    if (!others.some((other) => other.startsWith(prefix))) return prefix
  }
  return id
}

/** Enough to choose from; more would scroll the question away. */
const MOST_CANDIDATES = 8

/**
 * Finds an id by its full text or a unique prefix. Throws `missing` if there is none, and INVALID_ARGUMENTS with the
 * candidates if there are several.
 */
export function resolveId(given: string, ids: readonly string[], missing: (given: string) => CordonError): string {
  if (ids.includes(given)) return given
  const found = given === '' ? [] : ids.filter((id) => id.startsWith(given))
  const [only, ...more] = found
  if (only === undefined) throw missing(given)
  if (more.length === 0) return only
  const named = found.slice(0, MOST_CANDIDATES).join(', ')
  const rest = found.length > MOST_CANDIDATES ? ` and ${found.length - MOST_CANDIDATES} more` : ''
  throw new CordonError(
    'INVALID_ARGUMENTS',
    `The id ${given} is ambiguous: it can be ${named}${rest}. Use more characters of the id.`,
  )
}
