import { lstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../core/model/errors.js'
import type { Mount } from '../../core/model/plan.js'
import { UNFINISHED_ROOT } from './bubblewrap-arguments.js'
import { kernelFile } from './kernel-file.js'
import { type MountEntry, mountEntries } from './mount-entries.js'

type Mounted = Pick<MountEntry, 'device' | 'root' | 'isReadOnly' | 'kind'>

/** By mount point. Where several lie on one another, the last is the one that is seen. */
export type HostMounts = ReadonlyMap<string, Mounted>

/** No place: the list itself cannot be had. */
const UNSEEN = ''
/** Changing the root takes bubblewrap microseconds; the longest pause between two looks. */
const SETTLED_MS = 32

/** What bubblewrap mounts in /dev from the host. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'console'] as const

const mountsIn = (mountinfo: string): HostMounts => new Map(mountEntries(mountinfo).map((entry) => [entry.at, entry]))

const joined = (directory: string, rest: string): string => (directory === '/' ? rest || '/' : `${directory}${rest}`)

/** Which part of which file system a path of the host is, provided that no link is on the way. */
function standsFor(path: string, host: ReadonlyMap<string, Mounted>): Pick<Mounted, 'device' | 'root'> | null {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const mounted = host.get(at)
    if (mounted !== undefined) {
      return {
        device: mounted.device,
        root: joined(mounted.root, path.slice(at === '/' ? 0 : at.length).replace(/^\/$/, '')),
      }
    }
    if (at === '/') return null
  }
}

function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return true
  }
}

interface Built {
  readonly mounts: readonly Mount[]
  /** Forbidden places that existed when the wall was begun. */
  readonly existing: ReadonlySet<string>
  /** The init of the wall, as the host numbers it. */
  readonly init: number
  /** A process in whose mount namespace the wall is built; without one the host's own. */
  readonly within: number | undefined
  /** What is mounted there. */
  readonly host: HostMounts | null
}

/** What is mounted on the host, or where a transaction has its own view of it; null where that cannot be seen. */
export function hostMountsOf(within: number | undefined): HostMounts | null {
  try {
    return mountsIn(kernelFile(`/proc/${within ?? 'self'}/mountinfo`))
  } catch {
    return null
  }
}

/**
 * The first place of a wall that is not what the plan says; null when all are. Between planning and mounting somebody else can put a
 * link in the place of a directory, and bubblewrap would follow it: so once everything is mounted and before anything of the command
 * runs, the kernel is asked what stands where. The paths of a plan hold no links, so each names one part of one file system.
 */
function misplaced(built: Built): string | null {
  if (built.host === null) return UNSEEN
  const wall = mountsIn(kernelFile(`/proc/${built.init}/mountinfo`))
  // By now bubblewrap may have made it the root. All places are looked for in one and the same way, the root among them.
  const before = wall.has(UNFINISHED_ROOT) ? misplacedBelow(UNFINISHED_ROOT, wall, built.host, built) : '/'
  if (before === null) return null
  const after = misplacedBelow('', wall, built.host, built)
  return after === '/' ? before : after
}

function misplacedBelow(
  base: string,
  wall: HostMounts,
  host: HostMounts,
  { mounts, existing, within }: Built,
): string | null {
  const root = within === undefined ? '' : `/proc/${within}/root`
  const isRoot = process.geteuid?.() === 0
  const last = new Map(mounts.map((mount) => [mount.at, mount]))
  for (const mount of last.values()) {
    // The list is read as bytes, one character each, so names are compared as such.
    const name = Buffer.from(mount.at).toString('latin1')
    const seen = wall.get(name === '/' ? base || '/' : `${base}${name}`)
    if (!isAsPlanned(mount, seen, host, { existing, isMissing: () => isMissing(root + mount.at) })) return mount.at
    if (mount.op === 'dev' && isRoot && !hasReadOnlyDevices(`${base}${name}`, wall)) return mount.at
  }
  return null
}

/** Root owns the devices, which are the host's, and could change their modes. */
const hasReadOnlyDevices = (at: string, wall: HostMounts): boolean =>
  DEVICES.every((name) => wall.get(`${at}/${name}`)?.isReadOnly !== false)

interface Doubts {
  readonly existing: ReadonlySet<string>
  isMissing(): boolean
}

function isAsPlanned(
  mount: Mount,
  seen: Mounted | undefined,
  host: ReadonlyMap<string, Mounted>,
  { existing, isMissing }: Doubts,
): boolean {
  const source = 'from' in mount ? mount.from : mount.at
  const meant = standsFor(Buffer.from(source).toString('latin1'), host)
  const isMeant = seen !== undefined && seen.device === meant?.device && seen.root === meant.root
  switch (mount.op) {
    case 'read':
      return isMeant && seen.isReadOnly
    case 'write':
      return isMeant
    case 'forbid':
      return existing.has(mount.at) ? isMeant && seen.isReadOnly : true
    case 'keep':
      return true
    case 'pin':
      return isMeant || (seen === undefined && isMissing())
    case 'proc':
      return seen?.kind === 'proc'
    case 'dev':
    case 'tmpfs':
    case 'hide-directory':
    case 'empty-directory':
    case 'hide-file':
    case 'mask':
      return seen?.kind === 'tmpfs' && seen.device !== meant?.device
  }
}

/**
 * Why nothing may run in this wall; null when it is what the plan says. What cannot be looked at is not trusted. A list read at the very moment
 * when the root is changed can be half of one and half of the other: one that does not fit is read again before that is believed.
 */
export async function faultOf(built: Built): Promise<CordonError | null> {
  let place = placeOf(built)
  for (let delayMs = 1; place !== null && place !== UNSEEN && delayMs <= SETTLED_MS; delayMs *= 2) {
    await sleep(delayMs)
    place = placeOf(built)
  }
  if (place === null) return null
  return new CordonError(
    'START_FAILED',
    `The sandbox does not match the plan: ${place || '/'} was replaced while the sandbox was being built. Nothing was run. Find the process that changes this path, then try again.`,
    { place: place || '/' },
  )
}

function placeOf(built: Built): string | null {
  try {
    return misplaced(built)
  } catch {
    return UNSEEN
  }
}
