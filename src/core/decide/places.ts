import type { PathFact } from '../model/facts.js'
import { resolvePath } from '../model/path.js'
import { SHARED_HOME } from '../model/surroundings.js'
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
const fits = (place: string, fact: string, partial: boolean): boolean =>
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
const saysNothing = (name: string): boolean =>
  name.includes('(') ? alternatives(name).every((one) => !one.includes('(') && saysNothing(one)) : /^[.*?]*$/.test(name)

/** Directories `~` may stand for, as patterns: the real home, the one the command sees, and those of other people. */
export function homesOf({ profile, surroundings }: Where): readonly string[] {
  const jailed = profile.environment.home === 'workspace' ? [escapeGlob(surroundings.workspace)] : []
  const shared = profile.environment.home === 'private' ? [SHARED_HOME] : []
  return [escapeGlob(surroundings.home), '/root', '/home/*', '/Users/*', ...jailed, ...shared]
}

/** The directories that places are looked for in, as segments of patterns. */
export interface Bases {
  readonly home: readonly (readonly string[])[]
  readonly root: readonly (readonly string[])[]
}

export function basesOf(where: Where): Bases {
  const roots = new Set([where.surroundings.workspace, ...where.surroundings.roots])
  return { home: homesOf(where).map(split), root: [...roots].map(escapeGlob).map(split) }
}

function segmentsAt(segments: readonly string[], partial: boolean, place: Place, bases: Bases): boolean {
  const last = place.segments.at(-1)
  if (last !== undefined && !segments.some((segment) => fits(last, segment, partial))) return false
  const inside = place.at === 'home' || place.at === 'root' ? bases[place.at] : [[]]
  return inside.some(
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

/** `*\/*`: nothing lies below a file that the first star might stand for. */
const isBelowFile = (path: string, { segments }: Place): boolean => {
  const [directory = '', last = ''] = split(path).slice(-2)
  return saysNothing(last) && saysNothing(directory) && FILE.test(segments.at(-1) ?? '')
}

/** The first place the path is at or below. A pathname pattern is there when it could expand to something there. */
export function placeOf(path: string, partial: boolean, places: readonly Place[], bases: Bases): Place | null {
  const segments = telling(path, partial)
  return (
    places.find(
      (place) => segmentsAt(segments, partial, place, bases) && !(partial && hasGlob(path) && isBelowFile(path, place)),
    ) ?? null
  )
}

/** Is the path the root or below it? Both absolute, with nothing left to fold. */
export const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || root === '/' || path[root.length] === '/')

export const isUnderAny = (path: string, roots: readonly string[]): boolean => roots.some((root) => isUnder(path, root))

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

/** Where the path of a fact really is. */
export function realPath(
  fact: PathFact,
  kind: 'read' | 'write' | 'delete',
  { answers }: Pick<DecideInput, 'answers'>,
): string {
  const [path, rest] = askable(fact)
  if (!path.startsWith('/')) return fact.path
  if (kind === 'delete' && rest === '' && path !== '/' && REMOVES_LINKS.has(fact.by)) {
    const [parent, name] = parentOf(path)
    return resolvePath(name, answers.paths.get(parent)?.real ?? parent)
  }
  return resolvePath(rest, answers.paths.get(path)?.real ?? path)
}
