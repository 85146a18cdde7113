import picomatch from 'picomatch'
import { entriesIn } from '../untrusted-files/entries-of.js'
import { stampOf } from './directory-stamp.js'

/** Limit of directories and entries in one root. Files beyond it stay unfound; see `docs/threats.md`. */
const MAX_DIRECTORIES = 4_000
const MAX_ENTRIES = 50_000
/** Directories with published packages or git objects, which hold most files. */
const SKIPPED = new Set(['node_modules', '.git'])
const MAX_KINDS = 8

/** Content of a directory at the time of reading. */
interface Seen {
  readonly stamp: string
  readonly entries: number
  readonly directories: readonly string[]
  readonly named: readonly string[]
}

type IsNamed = (name: string) => boolean

/** Results by searched names and directory, valid while the directory does not change. */
const KNOWN = new Map<string, Map<string, Seen>>()

function knownFor(names: readonly string[]): Map<string, Seen> {
  const key = names.join('\0')
  const known = KNOWN.get(key)
  if (known !== undefined) return known
  if (KNOWN.size >= MAX_KINDS) KNOWN.clear()
  const fresh = new Map<string, Seen>()
  KNOWN.set(key, fresh)
  return fresh
}

function look(path: string, isNamed: IsNamed, known: Map<string, Seen>): Seen | null {
  const now = stampOf(path)
  if (now === null) return null
  const before = known.get(path)
  if (before?.stamp === now.text) return before
  const entries = entriesIn(path, MAX_ENTRIES)
  const inside = path === '/' ? '' : path
  const seen: Seen = {
    stamp: now.text,
    entries: entries.length,
    directories: entries.flatMap((entry) =>
      entry.isDirectory() && !SKIPPED.has(entry.name) ? `${inside}/${entry.name}` : [],
    ),
    named: entries.flatMap(({ name }) => (isNamed(name) ? `${inside}/${name}` : [])),
  }
  if (now.isCertain) known.set(path, seen)
  else known.delete(path)
  return seen
}

function below(root: string, isNamed: IsNamed, known: Map<string, Seen>): readonly string[] {
  const found: string[] = []
  const queue = [root]
  let entries = 0
  for (let next = 0; next < Math.min(queue.length, MAX_DIRECTORIES) && entries <= MAX_ENTRIES; next++) {
    const seen = look(queue[next] ?? root, isNamed, known)
    if (seen === null) continue
    entries += seen.entries
    found.push(...seen.named)
    for (const directory of seen.directories) if (queue.length < MAX_DIRECTORIES) queue.push(directory)
  }
  return found
}

const namesOf = (patterns: readonly string[]): readonly string[] => patterns.filter((pattern) => !/[/~]/.test(pattern))

/** Returns a test for file names that the profile hides at any depth: patterns without a directory, such as `.env`. */
export function namedBy(patterns: readonly string[]): IsNamed {
  const names = namesOf(patterns)
  if (names.length === 0) return () => false
  const isMatch = picomatch([...names], { dot: true, flags: 's' })
  const plain = new Set(names)
  const hasGlob = names.some((name) => picomatch.scan(name).isGlob)
  return (name) => plain.has(name) || (hasGlob && isMatch(name))
}

/** Returns paths below the roots whose name the profile hides at any depth. */
export function hiddenByName(patterns: readonly string[], roots: readonly string[]): readonly string[] {
  const names = namesOf(patterns)
  if (names.length === 0) return []
  const isNamed = namedBy(names)
  const known = knownFor(names)
  // Directories that are gone, and those of other workspaces.
  if (known.size > 2 * MAX_DIRECTORIES) known.clear()
  return roots.filter((root) => root !== '/').flatMap((root) => below(root, isNamed, known))
}
