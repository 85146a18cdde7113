import type * as z from 'zod'
import { nearest } from './nearest.js'

type Path = readonly PropertyKey[]

/** Recognises the texts that the schema library itself writes; our schemas word the others. */
const UNWORDED = /^(?:Invalid|Too big|Too small|Unrecognized)\b/

/** Says what is wrong with a value, without its name: `must be a string, not number`. */
export function issueWords(issue: z.core.$ZodIssue, value: unknown): string {
  if (!UNWORDED.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing; give ${withArticle(issue.expected)}`
        : `must be ${withArticle(issue.expected)}, not ${kindOf(value)}`
    case 'invalid_value':
      return `must be ${listed(issue.values.map(quoted))}`
    case 'too_small':
      return `must ${bound(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')}`
    case 'too_big':
      return `must ${bound(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-01-31T12:00:00Z' : `must match ${issue.format}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return unionWords(issue.errors, value)
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? issueWords(issue.issues[0], value) : 'is not valid'
    default:
      return 'is not valid'
  }
}

/** Names an unknown key and the nearest right one, or all there are. */
export function unknownKeyWords(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  if (meant !== null) return `Did you mean \`${meant}\`?`
  return known.length > 0 ? `The keys here are ${known.join(', ')}.` : 'Remove it.'
}

/** Returns the known keys at a path, read from the schema. */
export function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = schema
  for (const key of path) {
    const type = unwrapped(at)
    if (typeof type !== 'object' || type === null) return []
    if ('shape' in type) at = (type.shape as Record<string, unknown>)[String(key)]
    else if ('valueType' in type) at = type.valueType
    else if ('element' in type) at = type.element
    else return []
  }
  const type = unwrapped(at)
  return typeof type === 'object' && type !== null && 'shape' in type ? Object.keys(type.shape as object) : []
}

/** Returns the value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value)

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function unwrapped(value: unknown): unknown {
  let type = value
  while (typeof type === 'object' && type !== null && 'unwrap' in type && typeof type.unwrap === 'function')
    type = type.unwrap()
  if (typeof type !== 'object' || type === null || !('options' in type) || !Array.isArray(type.options)) return type
  return type.options.find((one: unknown) => typeof one === 'object' && one !== null && 'shape' in one) ?? type
}

/** Describes the alternative that came closest: the one whose issue lies deepest, else all together. */
function unionWords(errors: readonly (readonly z.core.$ZodIssue[])[], value: unknown): string {
  const firsts = errors.flatMap((issues) => (issues[0] ? [issues[0]] : []))
  const deepest = firsts.toSorted((a, b) => b.path.length - a.path.length)[0]
  if (deepest && (deepest.path.length > 0 || deepest.code === 'unrecognized_keys')) {
    const where = deepest.path.length > 0 ? `has a wrong ${deepest.path.map(String).join('.')}: it ` : ''
    if (deepest.code === 'unrecognized_keys') return `${where}has an unknown key ${deepest.keys.join(', ')}`
    return `${where}${issueWords(deepest, valueAt(value, deepest.path))}`
  }
  const parts = firsts.map((issue) => issueWords(issue, value).replace(/^must be |, not \w+$/g, ''))
  return `must be ${[...new Set(parts)].join(', or ')}`
}

function bound(origin: string, limit: number, how: string): string {
  if (origin === 'string' && how === 'at least' && limit === 1) return 'not be empty'
  if (origin === 'string') return `have ${how} ${limit} characters`
  if (origin === 'array' || origin === 'set') return `have ${how} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return `be ${how} ${limit}`
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value))
const listed = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const NAMES: Readonly<Record<string, string>> = { int: 'a whole number', record: 'an object', object: 'an object' }

function withArticle(type: string): string {
  return NAMES[type] ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
