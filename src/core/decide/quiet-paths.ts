import { isFolded, isTidy } from '../model/path.js'
import type { Profile } from '../model/profile.js'
import { fits, holdsName, isUnder, type PlaceIndex, saysNothing } from './places.js'
import { hiddenRoots, isUnderAny, rootsOf } from './roots.js'
import type { DecideInput } from './scene.js'

/** Paths of which no place of a profile speaks, and with them most of what is ever read and written: those in the workspace. */
export interface QuietPaths {
  readonly workspace: string
  /** The workspace, with a slash. */
  readonly start: string
  /** A path that has one of these names below it may be at a place. */
  readonly names: ReadonlySet<string>
  /** Which characters they begin with: most names in a path are none of them, and that is seen without looking them up. */
  readonly initials: Uint8Array
}

type Surroundings = DecideInput['surroundings']

/** Null where the workspace itself is at a place, is not a root, or is watched as a whole. */
export function quietPaths(
  { paths, wall }: Profile,
  surroundings: Surroundings,
  places: readonly PlaceIndex[],
): QuietPaths | null {
  const { workspace } = surroundings
  if (!isTidy(workspace) || wall !== 'required' || !paths.write) return null
  if (!isUnderAny(workspace, rootsOf(surroundings.roots))) return null
  if (isUnderAny(workspace, hiddenRoots(surroundings)) || isUnderAny(workspace, rootsOf(surroundings.protected)))
    return null
  const names = new Set<string>()
  for (const { byName, others } of places) {
    if (others.length > 0) return null
    for (const name of byName.keys()) names.add(name)
  }
  if (holdsName(workspace, names)) return null
  const start = `${workspace}/`
  for (const root of [...surroundings.protected, ...surroundings.hidden.map(([place]) => place)])
    if (isUnder(root, workspace)) names.add(root.slice(start.length).split('/', 1)[0] ?? '')
  return { workspace, start, names, initials: initialsOf(names) }
}

/** Characters past these are taken for one another. */
const INITIALS = 256

function initialsOf(names: ReadonlySet<string>): Uint8Array {
  const initials = new Uint8Array(INITIALS)
  for (const name of names) initials[name.charCodeAt(0) % INITIALS] = 1
  return initials
}

const SLASH = 0x2f

/** Is it certain that no place speaks of this path, as long as it is really where it says? A pattern may stand for many. */
export function isQuiet(quiet: QuietPaths, path: string, partial: boolean): boolean {
  const { start } = quiet
  if (!path.startsWith(start)) return path === quiet.workspace || (partial && path === '')
  if (!isFolded(path, start.length)) return false
  for (let from = start.length; from < path.length; ) {
    let end = from
    let pattern = false
    for (; end < path.length; end++) {
      const c = path.charCodeAt(end)
      if (c === SLASH) break
      pattern ||= c === 0x2a || c === 0x3f || c === 0x5b
    }
    if (partial && pattern) {
      if (!isQuietPattern(quiet, path.slice(from, end), end === path.length)) return false
    } else if (quiet.initials[path.charCodeAt(from) % INITIALS] === 1 && quiet.names.has(path.slice(from, end)))
      return false
    from = end + 1
  }
  return true
}

/** What stands for other characters in a pattern, or makes some of them do so. */
const SPECIAL = /[*?[\]\\]/

/** Fits the pattern none of the names? A last one that any name would fit says nothing. */
function isQuietPattern({ names }: QuietPaths, pattern: string, isLast: boolean): boolean {
  if (isLast && saysNothing(pattern)) return true
  const head = pattern.search(SPECIAL)
  const tail = pattern.length - (/[^*?[\]\\]*$/.exec(pattern)?.[0].length ?? 0)
  const start = pattern.slice(0, head)
  const end = pattern.slice(tail)
  for (const name of names) if (name.startsWith(start) && name.endsWith(end) && fits(name, pattern, true)) return false
  return true
}
