/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

type Path = readonly (string | number)[]

const KEY = /"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+/g
const unquote = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key)
const keysOf = (text: string): string[] => (text.match(KEY) ?? []).map(unquote)

const HEADER = /^\s*(\[\[?)([^\]]+)\]/
const ASSIGNMENT = /^(\s*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=/

/** Returns how many lists and inline tables a line leaves open, and the kind of an open long string. */
function openings(line: string): { readonly depth: number; readonly long: string | null } {
  let depth = 0
  let long: string | null = null
  const token = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[\]{}]/g
  for (const [found] of line.matchAll(token)) {
    if (found === '"""' || found === "'''") long = long === null ? found : long === found ? null : long
    else if (long === null && !found.startsWith('#'))
      depth += found === '[' || found === '{' ? 1 : found === ']' || found === '}' ? -1 : 0
  }
  return { depth, long }
}

/** Tables of the form `[[x]]` have a number for a key: how often the header was seen. */
function tablePath(keys: readonly string[], isList: boolean, seen: Map<string, number>): Path {
  const name = keys.join('\0')
  if (isList) {
    const index = (seen.get(name) ?? -1) + 1
    seen.set(name, index)
    return [...keys, index]
  }
  // `[a.rules.x]` below `[[a.rules]]` belongs to the last of them.
  return keys.flatMap((key, i) => {
    const index = seen.get(keys.slice(0, i + 1).join('\0'))
    return index === undefined || i === keys.length - 1 ? [key] : [key, index]
  })
}

const sharedLength = (a: Path, b: Path): number => {
  let n = 0
  while (n < a.length && n < b.length && String(a[n]) === String(b[n])) n++
  return n
}

/** Yields every table and key of a TOML text with its position. Skips the content of lists and long strings. */
function* entries(text: string): Generator<readonly [Path, Position]> {
  const seen = new Map<string, number>()
  let table: Path = []
  let depth = 0
  let long: string | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (long !== null) {
      if (line.includes(long)) long = null
      continue
    }
    const header = depth === 0 ? HEADER.exec(line) : null
    if (header?.[2] !== undefined) {
      table = tablePath(keysOf(header[2]), header[1] === '[[', seen)
      yield [table, { line: index + 1, column: line.indexOf('[') + 1 }]
      continue
    }
    const assignment = depth === 0 ? ASSIGNMENT.exec(line) : null
    if (assignment?.[2] !== undefined) {
      yield [[...table, ...keysOf(assignment[2])], { line: index + 1, column: (assignment[1] ?? '').length + 1 }]
    }
    const left = openings(line)
    depth = Math.max(0, depth + left.depth)
    long = left.long
  }
}

/**
 * Returns the position of a key, or of the closest parent. The TOML parser reports no positions, so this searches the
 * text.
 */
export function locate(text: string, path: Path): Position {
  let best: Position = { line: 1, column: 1 }
  let bestLength = 0
  for (const [found, position] of entries(text)) {
    const shared = sharedLength(found, path)
    if (shared > bestLength) {
      best = position
      bestLength = shared
    }
  }
  return best
}
