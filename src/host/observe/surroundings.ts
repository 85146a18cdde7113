import { isPassed } from '../../core/model/passed-variables.js'
import { isInside } from '../../core/model/path.js'
import type { Profile } from '../../core/model/profile.js'
import type { Surroundings } from '../../core/model/surroundings.js'
import { gitDirectories } from './git-directories.js'
import { expandPlace } from './places.js'
import { findBash } from './programs.js'
import { realPath } from './real-path.js'

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

function existing(patterns: readonly string[], { workspace, home }: Place): string[] {
  const places = patterns.flatMap((pattern) => expandPlace(pattern, workspace, home)).map(realPath)
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

function runtime(): NonNullable<Surroundings['runtime']> {
  const hidden = unique(RUNTIME_PLACES.map(realPath).flatMap(({ real, kind }) => (kind === 'directory' ? real : [])))
  const resolver = realPath('/etc/resolv.conf')
  const isHidden = resolver.kind === 'file' && hidden.some((place) => isInside(resolver.real, place))
  return { hidden, resolver: isHidden ? resolver.real : null }
}

function hiddenPlaces(profile: Profile, place: Place): [string, 'file' | 'directory'][] {
  return existing(profile.paths.hidden, place).map((path) => [
    path,
    realPath(path).kind === 'directory' ? 'directory' : 'file',
  ])
}

/** The parts of the host a plan depends on. Reads, never writes. */
export function surroundingsOf(profile: Profile, place: Place): Surroundings {
  const roots = rootsOf(profile, place)
  const git = gitDirectories(place.workspace)
  const usesGit = roots.includes(place.workspace) && profile.paths.write
  const guarded = unique([
    ...protectedPlaces(profile, roots, place).map((path) => realPath(path)),
    ...(usesGit ? git.protected : []).map((path) => realPath(path)),
  ])
  const writable = existing(profile.paths.writable, place)
  return {
    workspace: place.workspace,
    home: place.home,
    roots,
    writable: unique([...writable, ...(usesGit ? git.writable : [])]),
    hidden: hiddenPlaces(profile, place),
    protected: unique(guarded.map(({ real }) => real)),
    absent: unique(guarded.flatMap(({ real, kind }) => (kind === 'missing' ? real : []))),
    runtime: runtime(),
    env: Object.entries(place.env).flatMap(([name, value]) =>
      value !== undefined && isPassed(name, profile.environment) ? [[name, value] as const] : [],
    ),
    bash: findBash(),
  }
}
