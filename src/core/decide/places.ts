import type { PathFact } from '../model/facts.js'
import { isTidy, resolvePath } from '../model/path.js'
import { alternatives, escapeGlob, globMatches, hasGlob, shellGlobMatches } from './glob.js'
import type { DecideInput } from './scene.js'

/**
 * A place a profile names: `~/.ssh`, `/etc/shadow`, `.git/hooks` (below every root), `**` followed by a name (anywhere).
 * Segments may hold `*` and `?`; `**` stands for any number of segments.
 */
export interface Place {
  readonly pattern: string
  readonly at: 'absolute' | 'home' | 'root' | 'anywhere'
  readonly segments: readonly string[]
}

type Where = Pick<DecideInput, 'profile' | 'surroundings'>

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.')

export function toPlace(pattern: string): Place {
  if (pattern === '~' || pattern.startsWith('~/')) return { pattern, at: 'home', segments: split(pattern.slice(1)) }
  if (pattern.startsWith('/')) return { pattern, at: 'absolute', segments: split(pattern) }
  if (pattern.startsWith('**/')) return { pattern, at: 'anywhere', segments: split(pattern) }
  return { pattern, at: 'root', segments: split(pattern) }
}

/** Does the segment of a fact fit that of a place? Where the fact is itself a pattern, either may be the one that fits. */
export const fits = (place: string, fact: string, partial: boolean): boolean =>
  globMatches(place, fact) || (partial && hasGlob(fact) && shellGlobMatches(fact, place))

/** Nothing lies below a file: of the directories a bare pattern stands for, a place of such a name is none. */
const FILE = /^[^.].*\.\w+$/

function reaches(place: readonly string[], p: number, path: readonly string[], i: number, partial: boolean): boolean {
  if (p === place.length)
    return !(partial && i < path.length && FILE.test(place[p - 1] ?? '') && saysNothing(path[i - 1] ?? ''))
  if (place[p] === '**') {
    for (let skip = i; skip <= path.length; skip++) if (reaches(place, p + 1, path, skip, partial)) return true
    return false
  }
  const segment = path[i]
  return segment !== undefined && fits(place[p] ?? '', segment, partial) && reaches(place, p + 1, path, i + 1, partial)
}

/** `cat ~/.*` names every dot file and no secret in particular; `cat ~/.s*` does. */
export const saysNothing = (name: string): boolean =>
  name.includes('(') ? alternatives(name).every((one) => !one.includes('(') && saysNothing(one)) : /^[.*?]*$/.test(name)

/** Directories `~` may stand for, as patterns: the real home, the one the command sees, and those of other people. */
export function homesOf({ profile, surroundings }: Where): readonly string[] {
  const jailed = profile.environment.home === 'workspace' ? [escapeGlob(surroundings.workspace)] : []
  return [escapeGlob(surroundings.home), '/root', '/home/*', '/Users/*', ...jailed]
}

interface Bases {
  readonly home: readonly (readonly string[])[]
  readonly root: readonly (readonly string[])[]
}

const FROM_ROOT: readonly (readonly string[])[] = [[]]
const BASES = {
  workspace: new WeakMap<Where['surroundings'], Bases>(),
  real: new WeakMap<Where['surroundings'], Bases>(),
} as const

/** The directories places are looked for in, taken apart once for all the paths of a command. */
function basesOf(place: Place, where: Where): readonly (readonly string[])[] {
  if (place.at !== 'home' && place.at !== 'root') return FROM_ROOT
  const { surroundings, profile } = where
  const known = BASES[profile.environment.home].get(surroundings)
  if (known) return known[place.at]
  const roots = new Set([surroundings.workspace, ...surroundings.roots])
  const bases = { home: homesOf(where).map(split), root: [...roots].map(escapeGlob).map(split) }
  BASES[profile.environment.home].set(surroundings, bases)
  return bases[place.at]
}

function segmentsAt(segments: readonly string[], partial: boolean, place: Place, where: Where): boolean {
  return basesOf(place, where).some(
    (base) =>
      base.every((name, i) => fits(name, segments[i] ?? '', partial)) &&
      reaches(place.segments, 0, segments, base.length, partial),
  )
}

/** What of a path says where it leads: all of it, but not a last pattern that any name would fit. */
function telling(path: string, partial: boolean): readonly string[] {
  const segments = split(path)
  return partial && hasGlob(path) && saysNothing(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments
}

/** Is the path at the place, or below it? A pathname pattern is there when it could expand to something there. */
export const isAt = (path: string, partial: boolean, place: Place, where: Where): boolean =>
  segmentsAt(telling(path, partial), partial, place, where)

/** Places by their last name: a path that holds no such name is at none of them, and most paths hold none. */
export interface PlaceIndex {
  readonly all: readonly Place[]
  readonly byName: ReadonlyMap<string, readonly Place[]>
  readonly others: readonly Place[]
}

export function indexPlaces(places: readonly Place[]): PlaceIndex {
  const byName = new Map<string, Place[]>()
  const others: Place[] = []
  for (const place of places) {
    const name = place.segments.at(-1)
    if (name === undefined || hasGlob(name)) others.push(place)
    else byName.set(name, [...(byName.get(name) ?? []), place])
  }
  return { all: places, byName, others }
}

/** Is one of the path's names from there on that of a place? Said without taking the path apart, since the answer is nearly always no. */
export function holdsName(path: string, names: Pick<ReadonlySet<string>, 'has'>): boolean {
  for (let from = 0; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const end = slash < 0 ? path.length : slash
    if (end > from && names.has(path.slice(from, end))) return true
    from = end + 1
  }
  return false
}

/** The first place the path is at or below. */
export function placeOf(path: string, partial: boolean, index: PlaceIndex, where: Where): Place | null {
  const { all, byName, others } = index
  if (!partial && others.length === 0 && !holdsName(path, byName)) return null
  const segments = telling(path, partial)
  const isHere = (place: Place): boolean => segmentsAt(segments, partial, place, where)
  if (partial && hasGlob(path)) {
    const couldBe = (place: Place): boolean => segments.some((one) => fits(place.segments.at(-1) ?? '*', one, true))
    return all.find((place) => couldBe(place) && isHere(place)) ?? null
  }
  for (const segment of segments) {
    const found = byName.get(segment)?.find(isHere)
    if (found) return found
  }
  return others.find(isHere) ?? null
}

/** Is the path the root or below it? Both absolute, with nothing left to fold: a cheap `isInside` for the many. */
export const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || root === '/' || path[root.length] === '/')

/** Is the place somewhere below the path? Only for places whose directory is known. */
export function isAbove(path: string, place: Place, { surroundings }: Where): boolean {
  if (place.at === 'anywhere' || place.at === 'root') return false
  const base = place.at === 'home' ? surroundings.home : '/'
  const full = [...split(base), ...place.segments]
  const segments = split(path)
  return segments.length < full.length && segments.every((segment, i) => segment === full[i])
}

const PROC_ROOT = /^\/proc\/(?:self|thread-self|\d+)\/root(?=\/|$)/

/** The part of a path that can be asked about, and the rest, which is a pattern. */
export function askable({ path, partial }: PathFact): readonly [path: string, rest: string] {
  const plain = path.startsWith('/proc/') ? path.replace(PROC_ROOT, '') || '/' : path
  if (!partial || !hasGlob(plain)) return [plain, '']
  const segments = plain.split('/')
  const first = segments.findIndex((segment) => hasGlob(segment))
  return [segments.slice(0, first).join('/') || '/', segments.slice(first).join('/')]
}

/** A link named to be removed is removed itself; what it points to stays. */
const REMOVES_LINKS = new Set(['rm', 'unlink', 'rmdir', 'mv', 'git'])

export function parentOf(path: string): readonly [parent: string, name: string] {
  const end = path.lastIndexOf('/')
  return [path.slice(0, end) || '/', path.slice(end + 1)]
}

/** Absolute, with nothing to fold, and what it says is what is asked. */
const isPlainPath = ({ path, partial }: PathFact): boolean => !partial && isTidy(path) && !path.startsWith('/proc/')

/** Where the path of a fact really is. */
export function realPath(
  fact: PathFact,
  kind: 'read' | 'write' | 'delete',
  { answers }: Pick<DecideInput, 'answers'>,
): string {
  // Most answers are that a path is where it says, and most paths are plain.
  if (answers.paths.size === 0 && isPlainPath(fact)) return fact.path
  const [path, rest] = askable(fact)
  if (!path.startsWith('/')) return fact.path
  if (kind === 'delete' && rest === '' && path !== '/' && REMOVES_LINKS.has(fact.by)) {
    const [parent, name] = parentOf(path)
    const real = answers.paths.get(parent)?.real ?? parent
    return real === parent && isTidy(path) ? path : resolvePath(name, real)
  }
  const real = answers.paths.get(path)?.real ?? path
  return rest === '' && isTidy(real) ? real : resolvePath(rest, real)
}
