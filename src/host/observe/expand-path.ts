import picomatch from 'picomatch'
import { isTidy, resolvePath } from '../../core/model/basics/path.js'
import { entriesOf } from '../untrusted-files/entries-of.js'

/** Limit of entries for one pattern. Beyond it, only the analyser's rule by name applies. */
const MAX_ENTRIES = 20_000
const SKIPPED = new Set(['node_modules', '.git'])

interface Anchored {
  /** A literal directory name, with any characters. */
  readonly at: string
  /** The rest of the pattern, nothing left to fold. */
  readonly names: readonly string[]
}

/** `.` is the base, `~` the home, everything else relative to the base. */
function anchored(pattern: string, base: string, home: string): Anchored {
  const isHome = pattern === '~' || pattern.startsWith('~/')
  const names: string[] = []
  let at = pattern.startsWith('/') ? '/' : isHome ? home : base
  for (const name of (isHome ? pattern.slice(1) : pattern).split('/')) {
    if (name === '..' && names.pop() === undefined) at = resolvePath('..', at)
    else if (name !== '' && name !== '.' && name !== '..') names.push(name)
  }
  return { at: resolvePath(at, '/'), names }
}

/** Characters of a pattern. Most paths of a profile have none. */
const PATTERN = /[*?[\](){}!+@|\\]/
const isGlob = (name: string): boolean => PATTERN.test(name) && picomatch.scan(name).isGlob

/**
 * Returns existing paths that a pattern matches, breadth first, without following symlinks. A plain path returns itself
 * even if it does not exist. Only the text of the profile is a pattern: a workspace may be named `a*b`.
 */
export function expandPath(pattern: string, base: string, home: string): readonly string[] {
  // Most have nothing to fold and nothing to look for.
  if (!PATTERN.test(pattern) && isTidy(`/${pattern}`)) {
    if (pattern.startsWith('~/')) return [resolvePath(`${home}${pattern.slice(1)}`, '/')]
    if (pattern !== '~') return [resolvePath(`${base}/${pattern}`, '/')]
  }
  const { at, names } = anchored(pattern, base, home)
  const glob = names.join('/')
  if (!isGlob(glob)) return [resolvePath(glob, at)]
  const fixed = names.findIndex(isGlob)
  // The flag lets a dot match line breaks in names.
  const isMatch = picomatch(glob, { dot: true, flags: 's' })
  const deepest = glob.includes('**') ? Number.POSITIVE_INFINITY : names.length
  const queue = [names.slice(0, fixed).join('/')]
  const found: string[] = []
  let seen = 0
  for (let directory = queue.shift(); directory !== undefined && seen < MAX_ENTRIES; directory = queue.shift()) {
    for (const entry of entriesOf(resolvePath(directory, at), MAX_ENTRIES)) {
      seen += 1
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (isMatch(path)) found.push(resolvePath(path, at))
      else if (entry.isDirectory() && !SKIPPED.has(entry.name) && path.split('/').length < deepest) queue.push(path)
    }
  }
  return found
}
