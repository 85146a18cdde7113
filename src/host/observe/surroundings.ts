import { basename } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import { isInside } from '../../core/model/basics/path.js'
import { isPassed } from '../../core/model/policy/passed-variables.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { isReviewedPattern } from '../../core/model/policy/tool-settings.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import { asInHead } from '../git/head-blobs.js'
import { expandPath } from './expand-path.js'
import { type GitDirectories, gitDirectories } from './git-directories.js'
import { hardLinksOf } from './hard-links.js'
import { namedBy } from './hidden-names.js'
import { hiddenPaths } from './hidden-paths.js'
import { linksOn } from './links.js'
import { findBash } from './programs.js'
import { outsidePaths, readablePaths, shownPaths } from './readable-paths.js'
import { isLoop, type RealPath, realPath, realPathsNow } from './real-path.js'

export interface MountPath {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directory of Cordon's own records. */
  readonly state?: string
  /** Settings of name lookups for sandboxes without a network. */
  readonly nameService?: NonNullable<HostContext['runtime']>['nameService']
  /** Looks up the registries of the person's own settings. */
  readonly registries?: () => NonNullable<HostContext['registries']>
}

/** Directories with sockets of daemons, which would act for any client. */
const RUNTIME_PLACES: readonly string[] = ['/run', '/var/run']

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

/** Real directories of the profile's roots that exist. */
export function rootsOf(profile: Profile, { workspace, home }: MountPath): readonly string[] {
  const places = profile.paths.roots.flatMap((pattern) => expandPath(pattern, workspace, home))
  return unique(places.map(realPath).flatMap(({ real, kind }) => (kind === 'directory' ? real : [])))
}

type Find = (path: string) => RealPath

function existing(patterns: readonly string[], { workspace, home }: MountPath, find: Find): string[] {
  const places = patterns.flatMap((pattern) => expandPath(pattern, workspace, home)).map(find)
  return unique(places.flatMap(({ real, kind }) => (kind === 'missing' ? [] : real)))
}

/** Returns the protected paths: relative ones in every root, `~/…` and absolute ones directly. */
function protectedPlaces(patterns: readonly string[], roots: readonly string[], place: MountPath): string[] {
  return patterns.flatMap((pattern) =>
    /^[~/]/.test(pattern)
      ? expandPath(pattern, place.workspace, place.home)
      : roots.flatMap((root) => expandPath(pattern, root, place.home)),
  )
}

/**
 * Returns protected paths that a transaction reviews. Paths in the home count only if it is a root; otherwise no
 * command writes there.
 */
const settingsOf = ({ paths }: Profile, roots: readonly string[], place: MountPath, find: Find): readonly string[] =>
  unique(protectedPlaces(paths.protected.filter(isReviewedPattern), roots, place).map((path) => find(path).real))

const NO_GIT: GitDirectories = { writable: [], protected: [], reviewed: [], crowded: [] }

/**
 * Returns the paths that git writes for the workspace, and those it must not change in any root. A profile without
 * protected git paths protects only repositories outside.
 */
function gitPlaces({ paths }: Profile, roots: readonly string[], place: MountPath): GitDirectories {
  const { workspace } = place
  if (!paths.write) return NO_GIT
  const own = roots.includes(workspace) ? gitDirectories(workspace, place) : NO_GIT
  if (!paths.protected.some((pattern) => pattern.startsWith('.git/'))) return own.writable.length > 0 ? own : NO_GIT
  const others = roots.filter((root) => root !== workspace && root !== '/').map((root) => gitDirectories(root, place))
  const all = [own, ...others]
  return {
    writable: own.writable,
    protected: all.flatMap((git) => git.protected),
    reviewed: all.flatMap((git) => git.reviewed),
    crowded: all.flatMap((git) => git.crowded),
  }
}

function runtime({ nameService = null }: MountPath): NonNullable<HostContext['runtime']> {
  const hidden = unique(RUNTIME_PLACES.map(realPath).flatMap(({ real, kind }) => (kind === 'directory' ? real : [])))
  const resolver = realPath('/etc/resolv.conf')
  const isHidden = resolver.kind === 'file' && hidden.some((place) => isInside(resolver.real, place))
  const isShown = nameService !== null && !hidden.some((place) => isInside(nameService.at, place))
  return { hidden, resolver: isHidden ? resolver.real : null, nameService: isShown ? nameService : null }
}

/** Returns hidden files at a root whose content is in its history. */
const trackedAmong = (
  hidden: readonly (readonly [path: string, kind: 'file' | 'directory'])[],
  roots: readonly string[],
): readonly string[] =>
  roots
    .filter((root) => root !== '/')
    .flatMap((root) =>
      asInHead(
        hidden.flatMap(([path, kind]) => (kind === 'file' && isInside(path, root) ? path : [])),
        root,
      ),
    )

/** Each is a mount, and bubblewrap gets slower with the square of their number: 128 take 0.1 s. */
const MOST_HIDDEN = 128

/**
 * Refuses a command before it starts rather than hide some of the files only. Counts files that a command can multiply:
 * those hidden by their name. Paths that the profile names in full are as many as its list.
 */
function checkNumber(
  { sandbox, name, paths }: Profile,
  hidden: readonly (readonly [path: string, kind: 'file' | 'directory'])[],
  roots: readonly string[],
): void {
  const isNamed = namedBy(paths.hidden)
  const inRoots = hidden.filter(([path]) => isNamed(basename(path)) && roots.some((root) => isInside(path, root)))
  if (sandbox === 'off' || inRoots.length <= MOST_HIDDEN) return
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    `The profile "${name}" hides ${inRoots.length} files of the workspace, ${inRoots[MOST_HIDDEN]?.[0]} among them; the sandbox hides ` +
      `at most ${MOST_HIDDEN}. Remove some of them, or shorten \`paths.hidden\` in your own settings.`,
  )
}

/**
 * Returns symlinks on the way to paths hidden by full name, such as Cordon's own records. A command may choose what
 * `.env` is.
 */
const hiddenLinks = ({ paths }: Profile, { home }: MountPath, find: Find): (readonly [string, string])[] =>
  paths.hidden
    .filter((pattern) => /^(?:~\/|\/)[^*?[{(!]*$/.test(pattern))
    .map((pattern) => pattern.replace(/^~/, home))
    .flatMap((path) => (find(path).real === path ? [] : linksOn(path)))

/** Names the files have besides those they are guarded by. */
const otherNames = (places: readonly string[], roots: readonly string[]): readonly string[] =>
  hardLinksOf(places, roots).filter((path) => !places.some((place) => isInside(path, place)))

const uniqueLinks = (links: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] => [
  ...new Map(links),
]

/** Names first: to ask the process for the value of each takes longer than all the rest. */
function passedOn(env: MountPath['env'], { environment }: Profile): (readonly [string, string])[] {
  const names = Object.keys(env).filter((name) => isPassed(name, environment))
  return names.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}

/** The parts of the host a plan depends on. Reads, never writes. */
export function hostContextOf(profile: Profile, place: MountPath): HostContext {
  const find = realPathsNow([place.home, place.workspace])
  const roots = rootsOf(profile, place)
  const git = gitPlaces(profile, roots, place)
  const named = unique([...protectedPlaces(profile.paths.protected, roots, place), ...git.protected])
  const found = named.map((path) => ({ path, ...find(path) }))
  // Restores a symlink without a target, like every symlink to a protected path.
  const loops = found.filter(isLoop)
  const guarded = found.filter((one) => !loops.includes(one))
  const present = guarded.flatMap(({ real, kind }) => (kind === 'missing' ? [] : real))
  const caches = existing(profile.paths.writable, place, find)
  const writable = unique([...caches, ...git.writable])
  const places = hiddenPaths(profile, place, roots, find)
  const tracked = trackedAmong(places, roots)
  const hidden = places.filter(([path]) => !tracked.includes(path))
  checkNumber(profile, hidden, roots)
  const seen = { ...place, roots, writable, hidden: places }
  const shown = shownPaths(profile, seen, find)
  const secrets = hidden.flatMap(([path, kind]) => (kind === 'file' ? path : []))
  const hiddenHardLinks = otherNames(secrets, roots)
  return {
    workspace: place.workspace,
    home: place.home,
    roots,
    writable,
    readable: readablePaths(profile, seen, find),
    outside: outsidePaths(profile, roots),
    hidden: [...hidden, ...hiddenHardLinks.map((path) => [path, 'file'] as const)],
    hiddenHardLinks,
    tracked,
    ...(shown.length > 0 ? { shown } : {}),
    protected: unique(guarded.map(({ real }) => real)),
    reviewed: git.reviewed.map((path) => find(path).real),
    ...(git.crowded.length > 0 ? { crowded: unique(git.crowded.map((path) => find(path).real)) } : {}),
    reviewedSettings: settingsOf(profile, roots, place, find).filter((path) => !git.protected.includes(path)),
    links: uniqueLinks([
      ...guarded.flatMap(({ path, real }) => (path === real ? [] : linksOn(path))),
      ...loops.flatMap(({ path }) => linksOn(path)),
      ...hiddenLinks(profile, place, find),
    ]),
    hardLinks: profile.paths.write ? otherNames(present, [...roots, ...caches]) : [],
    absent: unique(guarded.flatMap(({ real, kind }) => (kind === 'missing' ? real : []))),
    runtime: runtime(place),
    ...(place.state === undefined ? {} : { state: realPath(place.state).real }),
    ...(place.registries === undefined || profile.network === 'full' ? {} : { registries: place.registries() }),
    env: passedOn(place.env, profile),
    bash: findBash(),
  }
}
