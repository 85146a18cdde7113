import { isUnder, resolvePath } from '../../model/basics/path.js'
import type { PathFact } from '../../model/run/facts.js'
import { SHARED_HOME } from '../../model/run/surroundings.js'
import { alternatives, escapeGlob, globMatches, hasGlob, shellGlobMatches } from '../match/glob.js'
import type { DecideInput } from '../match/input.js'

/**
 * A path pattern of a profile: `~/.ssh`, `/etc/shadow`, `.git/hooks` (below every root), or `**` and a name (anywhere).
 * Segments may contain `*` and `?`; `**` matches any number of segments.
 */
export interface PathPattern {
  readonly pattern: string
  readonly base: 'absolute' | 'home' | 'root' | 'anywhere'
  readonly segments: readonly string[]
}

type Where = Pick<DecideInput, 'profile' | 'surroundings'>

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.')

export function toPathPattern(pattern: string): PathPattern {
  if (pattern === '~' || pattern.startsWith('~/')) return { pattern, base: 'home', segments: split(pattern.slice(1)) }
  if (pattern.startsWith('/')) return { pattern, base: 'absolute', segments: split(pattern) }
  if (pattern.startsWith('**/')) return { pattern, base: 'anywhere', segments: split(pattern) }
  return { pattern, base: 'root', segments: split(pattern) }
}

/**
 * Reports whether a segment of a fact matches a segment of a pattern. If the fact is itself a glob, either may match
 * the other.
 */
const fits = (pattern: string, fact: string, partial: boolean): boolean =>
  globMatches(pattern, fact) || (partial && hasGlob(fact) && shellGlobMatches(fact, pattern))

/** A name with an extension is a file, so no path is below it. */
const FILE = /^[^.].*\.\w+$/

function reaches(pattern: readonly string[], p: number, path: readonly string[], i: number, partial: boolean): boolean {
  if (p === pattern.length)
    return !(partial && i < path.length && FILE.test(pattern[p - 1] ?? '') && matchesAnyName(path[i - 1] ?? ''))
  if (pattern[p] === '**') {
    for (let skip = i; skip <= path.length; skip++) if (reaches(pattern, p + 1, path, skip, partial)) return true
    return false
  }
  const segment = path[i]
  return (
    segment !== undefined && fits(pattern[p] ?? '', segment, partial) && reaches(pattern, p + 1, path, i + 1, partial)
  )
}

/** `cat ~/.*` names every dot file and no secret in particular; `cat ~/.s*` does. */
const matchesAnyName = (name: string): boolean =>
  name.includes('(')
    ? alternatives(name).every((one) => !one.includes('(') && matchesAnyName(one))
    : /^[.*?]*$/.test(name)

/**
 * Returns the directories that `~` may mean, as patterns: the real home, the home in the sandbox, and those of other
 * users.
 */
export function homesOf({ profile, surroundings }: Where): readonly string[] {
  const jailed = profile.environment.home === 'workspace' ? [escapeGlob(surroundings.workspace)] : []
  const shared = profile.environment.home === 'private' ? [SHARED_HOME] : []
  return [escapeGlob(surroundings.home), '/root', '/home/*', '/Users/*', ...jailed, ...shared]
}

/** Base directories of path patterns, as segments. */
export interface Bases {
  readonly home: readonly (readonly string[])[]
  readonly root: readonly (readonly string[])[]
}

export function basesOf(where: Where): Bases {
  const roots = new Set([where.surroundings.workspace, ...where.surroundings.roots])
  return { home: homesOf(where).map(split), root: [...roots].map(escapeGlob).map(split) }
}

function segmentsAt(segments: readonly string[], partial: boolean, pattern: PathPattern, bases: Bases): boolean {
  const last = pattern.segments.at(-1)
  if (last !== undefined && !segments.some((segment) => fits(last, segment, partial))) return false
  const inside = pattern.base === 'home' || pattern.base === 'root' ? bases[pattern.base] : [[]]
  return inside.some(
    (base) =>
      base.every((name, i) => fits(name, segments[i] ?? '', partial)) &&
      reaches(pattern.segments, 0, segments, base.length, partial),
  )
}

/** Returns the segments that identify a path: all, without a last glob that matches every name. */
function identifyingSegments(path: string, partial: boolean): readonly string[] {
  const segments = split(path)
  return partial && hasGlob(path) && matchesAnyName(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments
}

/** Reports whether a glob such as `*\/*` would match below a file. */
const isBelowFile = (path: string, { segments }: PathPattern): boolean => {
  const [directory = '', last = ''] = split(path).slice(-2)
  return matchesAnyName(last) && matchesAnyName(directory) && FILE.test(segments.at(-1) ?? '')
}

/** Returns the first pattern that contains the path. A glob matches if it could expand to a path there. */
export function patternOf(
  path: string,
  partial: boolean,
  patterns: readonly PathPattern[],
  bases: Bases,
): PathPattern | null {
  const segments = identifyingSegments(path, partial)
  return (
    patterns.find(
      (pattern) =>
        segmentsAt(segments, partial, pattern, bases) && !(partial && hasGlob(path) && isBelowFile(path, pattern)),
    ) ?? null
  )
}

export const isUnderAny = (path: string, roots: readonly string[]): boolean => roots.some((root) => isUnder(path, root))

/** Reports whether a pattern with a known directory is below the path. */
export function isAbove(path: string, pattern: PathPattern, { surroundings }: Where): boolean {
  if (pattern.base === 'anywhere' || pattern.base === 'root') return false
  const base = pattern.base === 'home' ? surroundings.home : '/'
  const full = [...split(base), ...pattern.segments]
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

/** Returns the real path of a fact. */
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
