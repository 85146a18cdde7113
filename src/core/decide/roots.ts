import type { Surroundings } from '../model/surroundings.js'
import { isUnder } from './places.js'

/** Directories by their first name: most paths share it with none of them. */
type Roots = ReadonlyMap<string, readonly string[]>

/** The first name of an absolute path, with its slash; `/` for the root itself, and for what is not absolute. */
function firstName(path: string): string {
  const end = path.indexOf('/', 1)
  return end < 0 ? path : path.slice(0, end)
}

const INDEXES = new WeakMap<object, Roots>()

function indexed(list: object, directories: () => readonly string[]): Roots {
  const known = INDEXES.get(list)
  if (known) return known
  const roots = new Map<string, string[]>()
  for (const directory of directories()) {
    const name = firstName(directory)
    roots.set(name, [...(roots.get(name) ?? []), directory])
  }
  INDEXES.set(list, roots)
  return roots
}

/** A list of the surroundings made ready once, however many paths are looked up in it. */
export const rootsOf = (list: readonly string[]): Roots => indexed(list, () => list)

export const hiddenRoots = ({ hidden }: Surroundings): Roots => indexed(hidden, () => hidden.map(([place]) => place))

/** Is the path one of the directories, or below one? */
export function isUnderAny(path: string, roots: Roots): boolean {
  if (roots.size === 0) return false
  return roots.has('/')
    ? path.startsWith('/')
    : (roots.get(firstName(path))?.some((root) => isUnder(path, root)) ?? false)
}
