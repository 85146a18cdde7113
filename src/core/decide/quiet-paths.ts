import type { Profile } from '../model/profile.js'
import { holdsName, isUnder, type PlaceIndex } from './places.js'
import { hiddenRoots, isUnderAny, rootsOf } from './roots.js'
import type { DecideInput } from './scene.js'

/** Paths of which no place of a profile speaks, and with them most of what is ever read and written: those in the workspace. */
export interface QuietPaths {
  readonly workspace: string
  /** The workspace, with a slash. */
  readonly start: string
  /** A path that has one of these names below it may be at a place. */
  readonly names: ReadonlySet<string>
  /** How long the shortest of them is: deep paths of short names are made to be slow. */
  readonly shortest: number
}

type Surroundings = DecideInput['surroundings']

/** Null where the workspace itself is at a place, is not a root, or is watched as a whole. */
export function quietPaths(
  { paths, wall }: Profile,
  surroundings: Surroundings,
  places: readonly PlaceIndex[],
): QuietPaths | null {
  const { workspace } = surroundings
  if (workspace === '/' || wall !== 'required' || !paths.write) return null
  if (!isUnderAny(workspace, rootsOf(surroundings.roots))) return null
  if (isUnderAny(workspace, hiddenRoots(surroundings)) || isUnderAny(workspace, rootsOf(surroundings.protected)))
    return null
  const names = new Set<string>()
  for (const { byName, others } of places) {
    if (others.length > 0) return null
    for (const name of byName.keys()) names.add(name)
  }
  if (holdsName(workspace, 0, names)) return null
  const start = `${workspace}/`
  for (const root of [...surroundings.protected, ...surroundings.hidden.map(([place]) => place)])
    if (isUnder(root, workspace)) names.add(root.slice(start.length).split('/', 1)[0] ?? '')
  return { workspace, start, names, shortest: Math.min(...[...names].map((name) => name.length)) }
}

/** Is it certain that no place speaks of this path, which is really where it says? */
export const isQuiet = ({ workspace, start, names, shortest }: QuietPaths, path: string): boolean =>
  path === workspace || (path.startsWith(start) && !holdsName(path, start.length, names, shortest))
