import type { Stats } from 'node:fs'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { lookAt } from '../untrusted-files/witness.js'

/** Limit of entries in the search for other names. Files beyond it stay unfound; see `docs/threats.md`. */
const MAX_ENTRIES = 50_000

function look(path: string): Stats | undefined {
  try {
    return lookAt(path)
  } catch {
    return undefined
  }
}

const key = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** Files among these, and right inside those that are directories, that have further names; each with how many. */
function shared(places: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  const note = (path: string): void => {
    const stats = look(path)
    if (stats?.isFile() && stats.nlink > 1) found.set(key(stats), stats.nlink)
  }
  for (const place of places) {
    if (!look(place)?.isDirectory()) note(place)
    else for (const entry of entriesOf(place, MAX_ENTRIES)) if (entry.isFile()) note(`${place}/${entry.name}`)
  }
  return found
}

/**
 * Returns hard links, below the roots, of files guarded by name. An earlier hard link is the same file, so it would
 * allow the denied access. It searches the roots only for files with more than one link.
 */
export function hardLinksOf(places: readonly string[], roots: readonly string[]): readonly string[] {
  const wanted = shared(places)
  const found: string[] = []
  const queue = wanted.size === 0 ? [] : [...roots]
  let names = [...wanted.values()].reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (let directory = queue.shift(); directory !== undefined && names > 0; directory = queue.shift()) {
    for (const entry of entriesOf(directory, MAX_ENTRIES)) {
      seen += 1
      if (seen > MAX_ENTRIES) return found
      const path = directory === '/' ? `/${entry.name}` : `${directory}/${entry.name}`
      if (entry.isDirectory()) queue.push(path)
      const stats = entry.isFile() ? look(path) : undefined
      if (stats === undefined || !wanted.has(key(stats))) continue
      names -= 1
      found.push(path)
    }
  }
  return found
}
