import { isTidy } from '../model/path.js'
import type { Profile } from '../model/profile.js'
import { hasGlob } from './glob.js'
import { fits, holdsName, isUnder, type PlaceIndex, saysNothing } from './places.js'
import { hiddenRoots, isUnderAny, rootsOf } from './roots.js'
import type { DecideInput } from './scene.js'

/** Paths of which no place of a profile speaks, and with them most of what is ever read and written: those in the workspace. */
export interface QuietPaths {
  readonly workspace: string
  /** The workspace, with a slash. */
  readonly start: string
  /** A path that has one of these names below it may be at a place, where it is in a directory of such a name; null: in any. */
  readonly names: Names
  /** Which characters they begin with: most names in a path are none of them, and that is seen without looking them up. */
  readonly initials: Uint8Array
  /** The same names by the character they end with. */
  readonly byLast: ReadonlyMap<number, readonly string[]>
  /** What is below the workspace is nobody's home, and no directory of the system's. */
  readonly isHomeless: boolean
}

type Names = ReadonlyMap<string, ReadonlySet<string> | null>
type Surroundings = DecideInput['surroundings']

/** Null where the workspace itself is at a place, is not a root, or is watched as a whole. */
export function quietPaths(
  { paths, sandbox }: Profile,
  surroundings: Surroundings,
  places: readonly PlaceIndex[],
): QuietPaths | null {
  const { workspace } = surroundings
  if (!isTidy(workspace) || sandbox !== 'required' || !paths.write) return null
  if (!isUnderAny(workspace, rootsOf(surroundings.roots))) return null
  if (isUnderAny(workspace, hiddenRoots(surroundings)) || isUnderAny(workspace, rootsOf(surroundings.protected)))
    return null
  if (places.some(({ others }) => others.length > 0)) return null
  const names = namesOf(places)
  if (holdsName(workspace, names)) return null
  const start = `${workspace}/`
  for (const root of [...surroundings.protected, ...surroundings.hidden.map(([place]) => place)])
    if (isUnder(root, workspace)) names.set(root.slice(start.length).split('/', 1)[0] ?? '', null)
  const isHomeless =
    workspace.indexOf('/', 1) > 0 && !isUnder(surroundings.home, workspace) && !/^\/(?:dev|proc)\//.test(workspace)
  return { workspace, start, names, initials: initialsOf(names), byLast: byLastOf(names), isHomeless }
}

/** The last names of places, with those of the directories they are in, as far as they are told. */
function namesOf(places: readonly PlaceIndex[]): Map<string, Set<string> | null> {
  const names = new Map<string, Set<string> | null>()
  for (const { segments } of places.flatMap(({ all }) => all)) {
    const name = segments.at(-1) ?? ''
    const directory = segments.at(-2)
    const known = names.get(name)
    if (directory === undefined || hasGlob(directory) || directory.includes('\\') || known === null)
      names.set(name, null)
    else names.set(name, (known ?? new Set()).add(directory))
  }
  return names
}

/** Characters past these are taken for one another. */
const INITIALS = 256

function initialsOf(names: Names): Uint8Array {
  const initials = new Uint8Array(INITIALS)
  for (const name of names.keys()) initials[name.charCodeAt(0) % INITIALS] = 1
  return initials
}

function byLastOf(names: Names): ReadonlyMap<number, readonly string[]> {
  const byLast = new Map<number, string[]>()
  for (const name of names.keys()) {
    const last = name.charCodeAt(name.length - 1)
    byLast.set(last, [...(byLast.get(last) ?? []), name])
  }
  return byLast
}

const SLASH = 0x2f
const DOT = 0x2e
const OPENING = 0x28

/** Is it certain that no place speaks of this path, as long as it is really where it says? A pattern may stand for many. */
export function isQuiet(quiet: QuietPaths, path: string, partial: boolean): boolean {
  const { start } = quiet
  if (!isBelow(path, start)) return path === quiet.workspace || (partial && path === '')
  for (let from = start.length; ; ) {
    const end = nameEnd(path, from)
    if (isDots(path, from, end) || !isQuietName(quiet, path, from, end, partial)) return false
    if (end === path.length) return true
    from = end + 1
  }
}

/** Does a path begin so? A long beginning is compared faster as a piece of its own. */
const isBelow = (path: string, start: string): boolean =>
  path.length > start.length && path.charCodeAt(start.length - 1) === SLASH && path.slice(0, start.length) === start

function nameEnd(path: string, from: number): number {
  let end = from
  while (end < path.length && path.charCodeAt(end) !== SLASH) end++
  return end
}

/** Nothing, `.` or `..`: the path is not where it says. */
const isDots = (path: string, from: number, end: number): boolean =>
  end - from < 3 && (end === from || (path.charCodeAt(from) === DOT && path.charCodeAt(end - 1) === DOT))

function isQuietName(quiet: QuietPaths, path: string, from: number, end: number, partial: boolean): boolean {
  if (partial && hasPattern(path, from, end)) return isQuietPattern(quiet, path.slice(from, end), end === path.length)
  if (quiet.initials[path.charCodeAt(from) % INITIALS] !== 1) return true
  const directories = quiet.names.get(path.slice(from, end))
  return directories === undefined || (directories !== null && isElsewhere(directories, path, from - 1, partial))
}

/** Is what ends here the path of a directory that has none of the names? */
function isElsewhere(names: ReadonlySet<string>, path: string, end: number, partial: boolean): boolean {
  const from = path.lastIndexOf('/', end - 1) + 1
  return !(partial && hasPattern(path, from, end)) && !names.has(path.slice(from, end))
}

function hasPattern(path: string, from: number, end: number): boolean {
  for (let i = from; i < end; i++) {
    const c = path.charCodeAt(i)
    if (c === 0x2a || c === 0x3f || c === 0x5b || c === OPENING) return true
  }
  return false
}

/** What stands for other characters in a pattern, or makes some of them do so. */
const isSpecial = (c: number): boolean =>
  c === 0x2a || c === 0x3f || c === 0x5b || c === 0x5d || c === 0x5c || c === 0x29

/** Fits the pattern none of the names? A last one that any name would fit says nothing. */
function isQuietPattern({ names, byLast }: QuietPaths, pattern: string, isLast: boolean): boolean {
  if (isLast && saysNothing(pattern)) return true
  const last = pattern.charCodeAt(pattern.length - 1)
  // What ends in a plain character fits only names that do.
  const candidates = isSpecial(last) ? names.keys() : byLast.get(last)
  if (candidates === undefined) return true
  const start = plainStart(pattern)
  const end = plainEnd(pattern)
  for (const name of candidates)
    if (name.startsWith(start) && name.endsWith(end) && fits(name, pattern, true)) return false
  return true
}

/** The characters at the beginning of a pattern that stand for themselves; the one before a parenthesis belongs to that. */
function plainStart(pattern: string): string {
  let to = 0
  while (to < pattern.length && !isSpecial(pattern.charCodeAt(to)) && pattern.charCodeAt(to) !== OPENING) to++
  return pattern.slice(0, pattern.charCodeAt(to) === OPENING ? Math.max(0, to - 1) : to)
}

/** The characters at the end of a pattern that stand for themselves. */
function plainEnd(pattern: string): string {
  let from = pattern.length
  while (from > 0 && !isSpecial(pattern.charCodeAt(from - 1))) from--
  return pattern.slice(from)
}
