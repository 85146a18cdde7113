import { isPassed } from '../../core/model/passed-variables.js'
import { isInside } from '../../core/model/path.js'
import type { Profile } from '../../core/model/profile.js'
import type { Surroundings } from '../../core/model/surroundings.js'
import { isAsInHead } from '../git/head-blobs.js'
import { type GitDirectories, gitDirectories } from './git-directories.js'
import { linksOn } from './links.js'
import { expandPlace } from './places.js'
import { findBash } from './programs.js'
import { type RealPath, realPath, realPathsNow } from './real-path.js'
import { twinsOf } from './twins.js'

export interface Place {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Sockets of daemons that would act for whoever asks them live here. */
const RUNTIME_PLACES: readonly string[] = ['/run', '/var/run']

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

/** Real directories of the profile's roots that exist. */
export function rootsOf(profile: Profile, { workspace, home }: Place): readonly string[] {
  const places = profile.paths.roots.flatMap((pattern) => expandPlace(pattern, workspace, home))
  return unique(places.map(realPath).flatMap(({ real, kind }) => (kind === 'directory' ? real : [])))
}

type Find = (path: string) => RealPath

function existing(patterns: readonly string[], { workspace, home }: Place, find: Find): string[] {
  const places = patterns.flatMap((pattern) => expandPlace(pattern, workspace, home)).map(find)
  return unique(places.flatMap(({ real, kind }) => (kind === 'missing' ? [] : real)))
}

/** Relative places are protected in every root; `~/…` and absolute ones where they are. */
function protectedPlaces(profile: Profile, roots: readonly string[], place: Place): string[] {
  return profile.paths.protected.flatMap((pattern) =>
    /^[~/]/.test(pattern)
      ? expandPlace(pattern, place.workspace, place.home)
      : roots.flatMap((root) => expandPlace(pattern, root, place.home)),
  )
}

const NO_GIT: GitDirectories = { writable: [], protected: [], reviewed: [] }

/**
 * What git needs to write for the workspace, and what must not be changed in the repositories of any root. A profile that protects
 * nothing of git's means it, but for a repository that lies elsewhere.
 */
function gitPlaces({ paths }: Profile, roots: readonly string[], place: Place): GitDirectories {
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
  }
}

function runtime(): NonNullable<Surroundings['runtime']> {
  const hidden = unique(RUNTIME_PLACES.map(realPath).flatMap(({ real, kind }) => (kind === 'directory' ? real : [])))
  const resolver = realPath('/etc/resolv.conf')
  const isHidden = resolver.kind === 'file' && hidden.some((place) => isInside(resolver.real, place))
  return { hidden, resolver: isHidden ? resolver.real : null }
}

function hiddenPlaces(profile: Profile, place: Place, find: Find): [string, 'file' | 'directory'][] {
  return existing(profile.paths.hidden, place, find).map((path) => [
    path,
    find(path).kind === 'directory' ? 'directory' : 'file',
  ])
}

/** Hidden files of a repository at a root that hold nothing but what its history holds. */
const trackedAmong = (
  hidden: readonly (readonly [path: string, kind: 'file' | 'directory'])[],
  roots: readonly string[],
): readonly string[] =>
  hidden.flatMap(([path, kind]) =>
    kind === 'file' && roots.some((root) => root !== '/' && isInside(path, root) && isAsInHead(path, root)) ? path : [],
  )

/** Links on the way to what is hidden by its full name, as Cordon's own records are. Which file `.env` is, is the command's business. */
const hiddenLinks = ({ paths }: Profile, { home }: Place, find: Find): (readonly [string, string])[] =>
  paths.hidden
    .filter((pattern) => /^(?:~\/|\/)[^*?[{(!]*$/.test(pattern))
    .map((pattern) => pattern.replace(/^~/, home))
    .flatMap((path) => (find(path).real === path ? [] : linksOn(path)))

/** Names the files have besides those they are guarded by. */
const otherNames = (places: readonly string[], roots: readonly string[]): readonly string[] =>
  twinsOf(places, roots).filter((path) => !places.some((place) => isInside(path, place)))

const uniqueLinks = (links: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] => [
  ...new Map(links),
]

/** Names first: to ask the process for the value of each takes longer than all the rest. */
function passedOn(env: Place['env'], { environment }: Profile): (readonly [string, string])[] {
  const names = Object.keys(env).filter((name) => isPassed(name, environment))
  return names.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}

/** The parts of the host a plan depends on. Reads, never writes. */
export function surroundingsOf(profile: Profile, place: Place): Surroundings {
  const find = realPathsNow()
  const roots = rootsOf(profile, place)
  const git = gitPlaces(profile, roots, place)
  const named = unique([...protectedPlaces(profile, roots, place), ...git.protected])
  const guarded = named.map((path) => ({ path, ...find(path) }))
  const present = guarded.flatMap(({ real, kind }) => (kind === 'missing' ? [] : real))
  const writable = existing(profile.paths.writable, place, find)
  const places = hiddenPlaces(profile, place, find)
  const tracked = trackedAmong(places, roots)
  const hidden = places.filter(([path]) => !tracked.includes(path))
  const secrets = hidden.flatMap(([path, kind]) => (kind === 'file' ? path : []))
  const hiddenTwins = otherNames(secrets, roots)
  return {
    workspace: place.workspace,
    home: place.home,
    roots,
    writable: unique([...writable, ...git.writable]),
    hidden: [...hidden, ...hiddenTwins.map((path) => [path, 'file'] as const)],
    hiddenTwins,
    tracked,
    protected: unique(guarded.map(({ real }) => real)),
    reviewed: git.reviewed.map((path) => find(path).real),
    links: uniqueLinks([
      ...guarded.flatMap(({ path, real }) => (path === real ? [] : linksOn(path))),
      ...hiddenLinks(profile, place, find),
    ]),
    twins: profile.paths.write ? otherNames(present, [...roots, ...writable]) : [],
    absent: unique(guarded.flatMap(({ real, kind }) => (kind === 'missing' ? real : []))),
    runtime: runtime(),
    env: passedOn(place.env, profile),
    bash: findBash(),
  }
}
