import { LIMITS } from '../model/basics/limits.js'
import { isInside } from '../model/basics/path.js'
import type { ProfileNetwork } from '../model/policy/network-sets.js'
import type { Mount } from '../model/policy/plan.js'
import type { Profile } from '../model/policy/profile.js'
import type { HostContext } from '../model/run/surroundings.js'
import { between, privateMounts } from './private-mounts.js'

function depth(path: string): number {
  let slashes = 0
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) slashes += 1
  return path === '/' ? 0 : slashes + 1
}

/** Shallow before deep, and else as they come. */
function layered(mounts: readonly Mount[]): Mount[] {
  const deep = mounts.map((mount) => [depth(mount.at), mount] as const)
  return deep.sort(([a], [b]) => a - b).map(([, mount]) => mount)
}

/** Makes every directory down to the path a mount point, so that none can be renamed. */
function pinned(place: string, roots: readonly string[]): Mount[] {
  const above = roots.filter((root) => root !== place && isInside(place, root))
  const root = above.reduce((a, b) => (a.length > b.length ? a : b), '/')
  return between(root, place).map((at): Mount => ({ op: 'pin', at }))
}

/**
 * Returns the mounts that make a path read-only in a writable root. A mount point cannot be renamed or removed, but its
 * parent could be replaced. So every directory on the way becomes a mount point too.
 */
function protect(place: string, absent: boolean, roots: readonly string[]): Mount[] {
  return [...pinned(place, roots), absent ? { op: 'forbid', at: place } : { op: 'read', from: place, at: place }]
}

/** Protects reviewed paths if no transaction reviews them. Mounts that others depend on come first. */
function protectAll(
  places: readonly string[],
  { reviewed: git = [], reviewedSettings: settings = [] }: HostContext,
  absent: ReadonlySet<string>,
  roots: readonly string[],
): Mount[] {
  const by = new Map([...settings.map((at) => [at, 'settings'] as const), ...git.map((at) => [at, 'git'] as const)])
  const mountsOf = (reviewer: 'git' | 'settings' | undefined): Mount[] =>
    places.filter((place) => by.get(place) === reviewer).flatMap((place) => protect(place, absent.has(place), roots))
  const reviewed = (reviewer: 'git' | 'settings'): Mount[] =>
    mountsOf(reviewer).map((mount): Mount => ({ ...mount, reviewed: reviewer }) as Mount)
  return [...mountsOf(undefined), ...reviewed('git'), ...reviewed('settings')]
}

/** Returns the protected paths that need their own mount: in a writable root and in no other protected path. */
function placesToProtect(
  { protected: all }: HostContext,
  writable: readonly string[],
  absent: ReadonlySet<string>,
): readonly string[] {
  const standing = new Set(all.filter((place) => !absent.has(place)))
  const isCovered = (place: string): boolean =>
    place !== '/' && (standing.has('/') || between('/', place).some((above) => standing.has(above)))
  return all.filter((place) => writable.some((root) => isInside(place, root)) && !isCovered(place))
}

/** Directories with too many repositories to protect them one by one, where the command could write. */
const crowdedTrees = ({ crowded = [] }: HostContext, writable: readonly string[]): Mount[] =>
  crowded
    .filter((at) => writable.some((root) => isInside(at, root)))
    .map((at): Mount => ({ op: 'crowded', at, reviewed: 'git' }))

/** Returns symlinks to protected paths and hard links of protected files, if the command could write there. */
function guardedNames({ links = [], hardLinks = [] }: HostContext, writable: readonly string[]): Mount[] {
  const isWritable = (path: string): boolean => writable.some((root) => root !== path && isInside(path, root))
  return [
    ...links
      .filter(([at]) => isWritable(at))
      .flatMap(([at, to]): Mount[] => [...pinned(at, writable), { op: 'keep', at, to }]),
    ...hardLinks.filter(isWritable).map((at): Mount => ({ op: 'read', from: at, at })),
  ]
}

/**
 * Returns a test for paths in a hidden directory with no open path between. A mount there would show them again. It
 * checks only directories related to writable paths; usually there are none.
 */
function hiddenTest({ hidden }: HostContext, writable: readonly string[]): (path: string) => boolean {
  const directories = hidden.flatMap(([place, kind]) =>
    kind === 'directory' && writable.some((root) => isInside(place, root) || isInside(root, place)) ? place : [],
  )
  const isOpened = (path: string, place: string): boolean =>
    writable.some((root) => root !== place && isInside(root, place) && isInside(path, root))
  return (path) => directories.some((place) => isInside(path, place) && !isOpened(path, place))
}

/** Pins the directories above hidden paths, so that nothing can replace them. */
function hide(
  { hidden, hiddenHardLinks = [], protected: places }: HostContext,
  writable: readonly string[],
  absent: ReadonlySet<string>,
  isHidden: (path: string) => boolean,
): Mount[] {
  // A pin is writable and lies on top of the mount around it.
  const isOpen = ({ at }: Mount): boolean =>
    !places.some((place) => isInside(at, place) && !absent.has(place)) && !isHidden(at)
  const pinsAbove = (at: string): Mount[] =>
    writable.some((root) => isInside(at, root)) && !hiddenHardLinks.includes(at)
      ? pinned(at, writable).filter(isOpen)
      : []
  return hidden.flatMap(([at, kind]): Mount[] => [
    ...pinsAbove(at),
    { op: kind === 'file' ? 'hide-file' : 'hide-directory', at },
  ])
}

function withoutRepeats(mounts: readonly Mount[]): Mount[] {
  const seen = new Set<string>()
  return mounts.filter(({ op, at }) => !seen.has(`${op} ${at}`) && seen.add(`${op} ${at}`))
}

/**
 * Mounts fresh system directories over a read-only root: no devices, processes, sockets or temporary files of the host.
 */
function system(surroundings: HostContext, network: ProfileNetwork, base: Mount): Mount[] {
  const runtime = surroundings.runtime?.hidden ?? []
  const resolver = surroundings.runtime?.resolver ?? null
  const names = surroundings.runtime?.nameService ?? null
  return [
    base,
    { op: 'dev', at: '/dev' },
    { op: 'proc', at: '/proc' },
    ...(surroundings.privateDirectories === undefined
      ? [{ op: 'tmpfs', at: '/tmp', bytes: LIMITS.sandboxTmpBytes } as const]
      : []),
    ...runtime.map((at): Mount => ({ op: 'empty-directory', at })),
    ...(network !== 'none' && resolver !== null ? [{ op: 'read', from: resolver, at: resolver } as const] : []),
    ...(network === 'none' && names !== null ? [{ op: 'read', ...names } as const] : []),
  ]
}

/** Hides outside directories. Mounts in them stay reachable, their siblings do not. */
const outside = ({ outside: places = [] }: HostContext, open: readonly Mount[]): Mount[] =>
  places
    .filter(([place]) => !open.some(({ at }) => at === place))
    .map(([at, kind]) => ({ op: kind === 'file' ? 'hide-file' : 'hide-directory', at }))

/**
 * Returns the sandbox as an ordered list of mounts. Shallow paths come first, so that an inner mount covers the outer
 * one. At one path the stricter mount comes last.
 */
export function mountsFor(profile: Profile, surroundings: HostContext): readonly Mount[] {
  const rooted = profile.paths.write ? 'write' : 'read'
  const everywhere = surroundings.roots.includes('/')
  const open: Mount[] = [
    ...surroundings.roots.filter((at) => at !== '/').map((at): Mount => ({ op: rooted, from: at, at })),
    ...surroundings.writable.map((at): Mount => ({ op: 'write', from: at, at })),
    ...(surroundings.readable ?? []).map((at): Mount => ({ op: 'read', from: at, at })),
  ]
  const writable = [
    ...(everywhere && profile.paths.write ? ['/'] : []),
    ...open.flatMap((m) => (m.op === 'write' ? m.at : [])),
  ]
  const absent = new Set(surroundings.absent)
  const isHidden = hiddenTest(surroundings, writable)
  const guarded: Mount[] = [
    ...protectAll(placesToProtect(surroundings, writable, absent), surroundings, absent, writable),
    ...guardedNames(surroundings, writable),
    ...crowdedTrees(surroundings, writable),
    ...(surroundings.masked ?? []).map((at): Mount => ({ op: 'mask', at })),
  ]
  const closed: Mount[] = [
    ...guarded.filter(({ at }) => !isHidden(at)),
    ...hide(surroundings, writable, absent, isHidden),
  ]
  const base: Mount = { op: everywhere ? rooted : 'read', from: '/', at: '/' }
  const own = privateMounts(surroundings, open, closed)
  return [
    ...system(surroundings, profile.network, base),
    ...layered(withoutRepeats([...outside(surroundings, [...own.open, ...open]), ...own.open, ...open, ...own.closed])),
  ]
}

/**
 * Returns the mounts for a command without writes, as far as the analyser can tell. No write could be undone, so none
 * is allowed.
 */
export const readOnlyMounts = (profile: Profile, surroundings: HostContext): readonly Mount[] =>
  mountsFor(
    { ...profile, paths: { ...profile.paths, write: false } },
    { ...surroundings, writable: [], readable: [...(surroundings.readable ?? []), ...surroundings.writable] },
  )
