import type { Surroundings } from '../model/surroundings.js'

/** Directories by where they are: most lists hold many that lie side by side. */
type Roots = readonly (readonly [parent: string, names: ReadonlySet<string>])[]

const INDEXES = new WeakMap<object, Roots>()

function indexed(list: object, directories: () => readonly string[]): Roots {
  const known = INDEXES.get(list)
  if (known) return known
  const byParent = new Map<string, Set<string>>()
  for (const directory of directories()) {
    const end = directory.lastIndexOf('/') + 1
    const parent = directory.slice(0, end)
    byParent.set(parent, (byParent.get(parent) ?? new Set()).add(directory.slice(end)))
  }
  const roots = [...byParent]
  INDEXES.set(list, roots)
  return roots
}

/** A list of the surroundings made ready once, however many paths are looked up in it. */
export const rootsOf = (list: readonly string[]): Roots => indexed(list, () => list)

export const hiddenRoots = ({ hidden }: Surroundings): Roots => indexed(hidden, () => hidden.map(([place]) => place))

/** Is the path one of the directories, or below one? All absolute, with nothing left to fold. */
export function isUnderAny(path: string, roots: Roots): boolean {
  for (const [parent, names] of roots) {
    if (!path.startsWith(parent)) continue
    const end = path.indexOf('/', parent.length)
    if (names.has(end < 0 ? path.slice(parent.length) : path.slice(parent.length, end))) return true
    // The name of the root directory is empty, and everything is below it.
    if (names.has('')) return true
  }
  return false
}
