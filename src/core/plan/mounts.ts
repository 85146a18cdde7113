import { LIMITS } from '../model/limits.js'
import type { ProfileNetwork } from '../model/network-sets.js'
import { isInside } from '../model/path.js'
import type { Mount } from '../model/plan.js'
import type { Profile } from '../model/profile.js'
import type { Surroundings } from '../model/surroundings.js'
import { privateMounts } from './private-mounts.js'

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

/** Directories below the root on the way down to the place, neither of them included. */
function between(root: string, place: string): string[] {
  const found: string[] = []
  for (let end = place.lastIndexOf('/'); end > root.length; end = place.lastIndexOf('/', end - 1)) {
    found.push(place.slice(0, end))
  }
  return found
}

/** Every directory on the way down to the place becomes a mount point, so that none can be renamed away. */
function pinned(place: string, roots: readonly string[]): Mount[] {
  const above = roots.filter((root) => root !== place && isInside(place, root))
  const root = above.reduce((a, b) => (a.length > b.length ? a : b), '/')
  return between(root, place).map((at): Mount => ({ op: 'pin', at }))
}

/**
 * What makes a place read-only inside a writable root. A mount point cannot be renamed or removed, but the directory above it
 * can be, and a fresh one put in its place: so every directory on the way down becomes a mount point too.
 */
function protect(place: string, absent: boolean, roots: readonly string[]): Mount[] {
  return [...pinned(place, roots), absent ? { op: 'forbid', at: place } : { op: 'read', from: place, at: place }]
}

/** Protects the places that are reviewed where nothing reviews them. What others need comes first, so that it is kept. */
function protectAll(
  places: readonly string[],
  { reviewed: all = [] }: Surroundings,
  absent: ReadonlySet<string>,
  roots: readonly string[],
): Mount[] {
  const reviewed = new Set(all)
  const mountsOf = (isReviewed: boolean): Mount[] =>
    places
      .filter((place) => reviewed.has(place) === isReviewed)
      .flatMap((place) => protect(place, absent.has(place), roots))
  return [...mountsOf(false), ...mountsOf(true).map((mount): Mount => ({ ...mount, reviewed: true }) as Mount)]
}

/** Protected places that need a mount of their own: those in a writable root and in no other protected place. */
function placesToProtect(
  { protected: all }: Surroundings,
  writable: readonly string[],
  absent: ReadonlySet<string>,
): readonly string[] {
  const standing = new Set(all.filter((place) => !absent.has(place)))
  const isCovered = (place: string): boolean =>
    place !== '/' && (standing.has('/') || between('/', place).some((above) => standing.has(above)))
  return all.filter((place) => writable.some((root) => isInside(place, root)) && !isCovered(place))
}

/** Links to protected places, and further names of protected files, where the command could write. */
function guardedNames({ links = [], twins = [] }: Surroundings, writable: readonly string[]): Mount[] {
  const isWritable = (path: string): boolean => writable.some((root) => root !== path && isInside(path, root))
  return [
    ...links
      .filter(([at]) => isWritable(at))
      .flatMap(([at, to]): Mount[] => [...pinned(at, writable), { op: 'keep', at, to }]),
    ...twins.filter(isWritable).map((at): Mount => ({ op: 'read', from: at, at })),
  ]
}

/**
 * Says of a path whether it is in a hidden directory, and in nothing that is open inside it: what is mounted there would be to be seen again.
 * Only directories count that have to do with what is writable, and mostly there are none.
 */
function hiddenTest({ hidden }: Surroundings, writable: readonly string[]): (path: string) => boolean {
  const directories = hidden.flatMap(([place, kind]) =>
    kind === 'directory' && writable.some((root) => isInside(place, root) || isInside(root, place)) ? place : [],
  )
  const isOpened = (path: string, place: string): boolean =>
    writable.some((root) => root !== place && isInside(root, place) && isInside(path, root))
  return (path) => directories.some((place) => isInside(path, place) && !isOpened(path, place))
}

/** Nothing can be put in the place of what is hidden either: of Cordon's own records, or of a file that names programs to run. */
function hide(
  { hidden, hiddenTwins = [], protected: places }: Surroundings,
  writable: readonly string[],
  absent: ReadonlySet<string>,
  isHidden: (path: string) => boolean,
): Mount[] {
  // A pin is writable, and lies on top of whatever it is inside of.
  const isOpen = ({ at }: Mount): boolean =>
    !places.some((place) => isInside(at, place) && !absent.has(place)) && !isHidden(at)
  const pinsAbove = (at: string): Mount[] =>
    writable.some((root) => isInside(at, root)) && !hiddenTwins.includes(at) ? pinned(at, writable).filter(isOpen) : []
  return hidden.flatMap(([at, kind]): Mount[] => [
    ...pinsAbove(at),
    { op: kind === 'file' ? 'hide-file' : 'hide-directory', at },
  ])
}

function withoutRepeats(mounts: readonly Mount[]): Mount[] {
  const seen = new Set<string>()
  return mounts.filter(({ op, at }) => !seen.has(`${op} ${at}`) && seen.add(`${op} ${at}`))
}

/** Fresh system directories over a read-only root: nothing of the host's devices, processes, sockets or temporary files. */
function system(surroundings: Surroundings, network: ProfileNetwork, base: Mount): Mount[] {
  const runtime = surroundings.runtime?.hidden ?? []
  const resolver = surroundings.runtime?.resolver ?? null
  return [
    base,
    { op: 'dev', at: '/dev' },
    { op: 'proc', at: '/proc' },
    ...(surroundings.privateDirectories === undefined
      ? [{ op: 'tmpfs', at: '/tmp', bytes: LIMITS.wallTmpBytes } as const]
      : []),
    ...runtime.map((at): Mount => ({ op: 'empty-directory', at })),
    ...(network !== 'none' && resolver !== null ? [{ op: 'read', from: resolver, at: resolver } as const] : []),
  ]
}

/**
 * The wall as an ordered list of mounts. Shallow before deep, so that a place inside another always lies on top of it; at one
 * place the stricter comes last.
 */
export function mountsFor(profile: Profile, surroundings: Surroundings): readonly Mount[] {
  const rooted = profile.paths.write ? 'write' : 'read'
  const everywhere = surroundings.roots.includes('/')
  const open: Mount[] = [
    ...surroundings.roots.filter((at) => at !== '/').map((at): Mount => ({ op: rooted, from: at, at })),
    ...surroundings.writable.map((at): Mount => ({ op: 'write', from: at, at })),
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
    ...layered(withoutRepeats([...own.open, ...open, ...own.closed])),
  ]
}
