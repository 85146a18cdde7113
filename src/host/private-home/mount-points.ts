import { lstatSync, statSync } from 'node:fs'
import { isInside } from '../../core/model/path.js'
import type { Mount } from '../../core/model/plan.js'
import { within } from './private-directory.js'

/** A directory of the state and the path at which commands see it. */
export interface PrivateStand {
  readonly from: string
  readonly at: string
}

interface Point {
  /** Relative to the private directory. */
  readonly path: string
  readonly kind: 'file' | 'directory'
}

/** Returns the private directories that are mounted, given the directory of the state in which all of them are. */
export function standsIn(mounts: readonly Mount[], state: string): readonly PrivateStand[] {
  const own = mounts.flatMap((mount) =>
    mount.op === 'write' && isInside(mount.from, state) ? [{ from: mount.from, at: mount.at }] : [],
  )
  return own.filter(({ from }) => !own.some((other) => other.from !== from && isInside(from, other.from)))
}

function kindOf(mount: Mount): Point['kind'] {
  const isFile = 'from' in mount && statSync(mount.from, { throwIfNoEntry: false })?.isDirectory() === false
  return isFile ? 'file' : 'directory'
}

/** Mount points for which the directory itself is what a name leads to, rather than another mount in it. */
function pointsIn(mounts: readonly Mount[], { from, at }: PrivateStand): readonly Point[] {
  return mounts.flatMap((mount, index) => {
    if (mount.at === at || !isInside(mount.at, at)) return []
    const below = mounts.slice(0, index).findLast((other) => other.at !== mount.at && isInside(mount.at, other.at))
    const isOurs = below !== undefined && 'from' in below && isInside(below.from, from)
    return isOurs ? [{ path: mount.at.slice(at.length + 1), kind: kindOf(mount) }] : []
  })
}

function isThere(root: string, { path, kind }: Point): boolean {
  for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
    const stats = lstatSync(`${root}/${end === -1 ? path : path.slice(0, end)}`, { throwIfNoEntry: false })
    if (end === -1) return (kind === 'file' ? stats?.isFile() : stats?.isDirectory()) ?? false
    if (!stats?.isDirectory()) return false
  }
}

/**
 * Makes the mount points inside a private directory. bubblewrap would make them too, but through any symlink that a command has put on
 * the way.
 */
export function makeMountPoints(mounts: readonly Mount[], stand: PrivateStand): void {
  for (const point of pointsIn(mounts, stand)) {
    if (isThere(stand.from, point)) continue
    const end = point.path.lastIndexOf('/')
    const name = point.path.slice(end + 1)
    within(stand.from, point.path.slice(0, Math.max(0, end)), (directory) => {
      if (point.kind === 'file') directory.ensureFile(name)
      else directory.enter(name).close()
    })
  }
}
