import { lstatSync, statSync } from 'node:fs'
import type { Mount } from '../../core/model/policy/plan.js'
import { within } from './private-directory.js'

/** Compares normalised paths, as all paths of a plan are. */
export const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)

/** A directory of the state and the path at which commands see it. */
export interface PrivateMountPoint {
  readonly from: string
  readonly at: string
}

export interface MountPoint {
  /** Relative to the private directory. */
  readonly path: string
  readonly kind: 'file' | 'directory'
}

/** Returns the private directories that are mounted, given the directory of the state in which all of them are. */
export function standsIn(mounts: readonly Mount[], state: string): readonly PrivateMountPoint[] {
  const own = mounts.flatMap((mount) =>
    mount.op === 'write' && isBelow(mount.from, state) ? [{ from: mount.from, at: mount.at }] : [],
  )
  return own.filter(({ from }) => !own.some((other) => other.from !== from && isBelow(from, other.from)))
}

function kindOf(mount: Mount): MountPoint['kind'] {
  const isFile = 'from' in mount && statSync(mount.from, { throwIfNoEntry: false })?.isDirectory() === false
  return isFile ? 'file' : 'directory'
}

/** Returns the mount points in the private directory itself, not those in other mounts there. */
export function pointsIn(mounts: readonly Mount[], { from, at }: PrivateMountPoint): readonly MountPoint[] {
  return mounts.flatMap((mount, index) => {
    if (mount.at === at || !isBelow(mount.at, at)) return []
    const below = mounts
      .slice(0, index)
      .findLast((other) => other.at !== mount.at && (other.at === '/' || isBelow(mount.at, other.at)))
    const isOurs = below !== undefined && 'from' in below && isBelow(below.from, from)
    return isOurs ? [{ path: mount.at.slice(at.length + 1), kind: kindOf(mount) }] : []
  })
}

function isThere(root: string, { path, kind }: MountPoint): boolean {
  for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
    const stats = lstatSync(`${root}/${end === -1 ? path : path.slice(0, end)}`, { throwIfNoEntry: false })
    if (end === -1) return (kind === 'file' ? stats?.isFile() : stats?.isDirectory()) ?? false
    if (!stats?.isDirectory()) return false
  }
}

/**
 * Creates the mount points inside a private directory. bubblewrap would create them too, but through symlinks of a
 * command.
 */
export function makeMountPoints(directory: string, points: readonly MountPoint[]): void {
  for (const point of points) {
    if (isThere(directory, point)) continue
    const end = point.path.lastIndexOf('/')
    const name = point.path.slice(end + 1)
    within(directory, point.path.slice(0, Math.max(0, end)), (parent) => {
      if (point.kind === 'file') parent.ensureFile(name)
      else parent.enter(name).close()
    })
  }
}
