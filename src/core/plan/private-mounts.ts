import { isUnder as isInside } from '../model/basics/path.js'
import type { Mount } from '../model/policy/plan.js'
import { type HostContext, type PrivateDirectories, SHARED_HOME } from '../model/run/surroundings.js'

/** A directory of Cordon's state, and the path at which commands see it. */
interface Stand {
  readonly from: string
  readonly at: string
}

const standsOf = ({ tmp, home }: PrivateDirectories, realHome: string): readonly Stand[] => [
  { from: tmp, at: '/tmp' },
  ...(home === null ? [] : [{ from: home, at: realHome }]),
]

/** Returns the path as another directory shows it, or null if it is not below `from`. */
const moved = (path: string, from: string, at: string): string | null =>
  path === from ? at : isInside(path, from) ? `${at}${path.slice(from === '/' ? 0 : from.length)}` : null

/** Returns the directories between the two, without them. */
export function between(above: string, below: string): string[] {
  const found: string[] = []
  for (let end = below.lastIndexOf('/'); end > above.length; end = below.lastIndexOf('/', end - 1)) {
    found.push(below.slice(0, end))
  }
  return found
}

/**
 * Makes the directories down to a mount point in a private directory mount points too. Otherwise a command could
 * replace one by a symlink and redirect the next sandbox.
 */
function pinned(stand: Stand, points: readonly string[]): readonly Mount[] {
  const inside = points.filter((at) => isInside(at, stand.at) && at !== stand.at)
  const isCovered = (path: string): boolean => inside.some((at) => isInside(path, at))
  return inside
    .flatMap((at) => between(stand.at, at))
    .filter((at) => !isCovered(at))
    .map((at): Mount => ({ op: 'write', from: `${stand.from}${at.slice(stand.at.length)}`, at }))
}

/** Closes at every path of the shared entries what is closed at its own. */
function closedAgain(
  closed: readonly Mount[],
  views: readonly (readonly [from: string, at: string])[],
): readonly Mount[] {
  return closed.flatMap((mount) =>
    mount.op === 'hide-file' || mount.op === 'hide-directory' || mount.op === 'mask'
      ? views.flatMap(([from, at]): Mount[] => {
          const path = from === at ? null : moved(mount.at, from, at)
          return path === null ? [] : [{ op: mount.op, at: path }]
        })
      : [],
  )
}

/**
 * Mounts the whole real home, read-only, at its own path. A root in it is covered there if the root contains hidden
 * files.
 */
function wholeHome({ home, roots: all }: HostContext, closed: readonly Mount[]): readonly Mount[] {
  const inHome = all.filter((root) => isInside(root, home))
  const roots = inHome.filter((root) => !inHome.some((above) => above !== root && isInside(root, above)))
  const hides = (root: string): boolean => closed.some(({ op, at }) => op.startsWith('hide-') && isInside(at, root))
  const outside = closed.filter(({ at }) => !roots.some((root) => isInside(at, root)))
  return [
    { op: 'read', from: home, at: SHARED_HOME },
    ...roots
      .filter(hides)
      .map((at): Mount => ({ op: 'empty-directory', at: `${SHARED_HOME}${at.slice(home.length)}` })),
    ...closedAgain(outside, [[home, SHARED_HOME]]),
  ]
}

/**
 * Returns the mounts of the private home and /tmp with the shared entries, and the mounts of `closed` that still apply.
 * A path below a private directory no longer needs them, unless a mount of `open` covers it.
 */
export function privateMounts(
  surroundings: HostContext,
  open: readonly Mount[],
  closed: readonly Mount[],
): { readonly open: readonly Mount[]; readonly closed: readonly Mount[] } {
  const { privateDirectories, home } = surroundings
  if (privateDirectories === undefined) return { open: [], closed }
  const stands = standsOf(privateDirectories, home)
  const views = privateDirectories.home === null ? [] : privateDirectories.shared
  const shared = views.map(([from, at]): Mount => ({ op: 'read', from, at }))
  const points = [...open, ...shared].map(({ at }) => at)
  const isReplaced = (path: string): boolean =>
    stands.some(
      (stand) => isInside(path, stand.at) && !points.some((at) => isInside(at, stand.at) && isInside(path, at)),
    )
  return {
    open: [
      ...stands.map(({ from, at }): Mount => ({ op: 'write', from, at })),
      ...stands.flatMap((stand) => pinned(stand, [...points, ...stands.map(({ at }) => at)])),
      ...shared,
    ],
    closed: [
      ...closed.filter(({ at }) => !isReplaced(at)),
      ...closedAgain(closed, views),
      ...(privateDirectories.sharesAll ? wholeHome(surroundings, closed) : []),
    ],
  }
}
