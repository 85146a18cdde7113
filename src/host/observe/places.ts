import { readdirSync } from 'node:fs'
import picomatch from 'picomatch'
import { resolvePath } from '../../core/model/path.js'

/** Entries looked at for one pattern. Past it the reader's rule, which matches by name, is what is left. */
const MAX_ENTRIES = 20_000
const SKIPPED = new Set(['node_modules', '.git'])

/** `.` is the base, `~` the home, everything else relative to the base. */
export function placeOf(pattern: string, base: string, home: string): string {
  if (pattern === '~' || pattern.startsWith('~/')) return resolvePath(pattern.slice(2), home)
  return resolvePath(pattern, base)
}

const isGlob = (pattern: string): boolean => picomatch.scan(pattern).isGlob

function entriesOf(directory: string): readonly { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Existing places a pattern names, breadth first, never through a link. A plain name gives itself, whether it exists or not. */
export function expandPlace(pattern: string, base: string, home: string): readonly string[] {
  const absolute = placeOf(pattern, base, home)
  if (!isGlob(absolute)) return [absolute]
  const segments = absolute.split('/').slice(1)
  const fixed = segments.findIndex(isGlob)
  const isMatch = picomatch(absolute, { dot: true })
  const deepest = absolute.includes('**') ? Number.POSITIVE_INFINITY : segments.length
  const queue = [`/${segments.slice(0, fixed).join('/')}`.replace(/\/$/, '')]
  const found: string[] = []
  let seen = 0
  for (let directory = queue.shift(); directory !== undefined && seen < MAX_ENTRIES; directory = queue.shift()) {
    for (const entry of entriesOf(directory || '/')) {
      seen += 1
      const path = `${directory}/${entry.name}`
      if (isMatch(path)) found.push(path)
      else if (entry.isDirectory() && !SKIPPED.has(entry.name) && path.split('/').length <= deepest) queue.push(path)
    }
  }
  return found
}
