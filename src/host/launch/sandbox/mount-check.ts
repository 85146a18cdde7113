import { lstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { Mount } from '../../../core/model/policy/plan.js'
import { type MountEntry, mountEntries } from '../process/mount-entries.js'
import { kernelFile } from '../process/read-kernel-file.js'
import { UNFINISHED_ROOT } from './bubblewrap-arguments.js'

type Mounted = Pick<MountEntry, 'device' | 'root' | 'isReadOnly' | 'kind'>

/** Mounts by mount point. Of several at one point, the last is the visible one. */
export type HostMounts = ReadonlyMap<string, Mounted>

const UNREADABLE = ''
/** Longest pause between two checks. bubblewrap takes microseconds to change the root. */
const SETTLED_MS = 32

/** Devices that bubblewrap mounts from the host. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'console'] as const

const mountsIn = (mountinfo: string): HostMounts => new Map(mountEntries(mountinfo).map((entry) => [entry.at, entry]))

const joined = (directory: string, rest: string): string => (directory === '/' ? rest || '/' : `${directory}${rest}`)

/** Returns the file system of a host path, and the directory in it. The path must contain no symlink. */
function sourceOf(path: string, host: ReadonlyMap<string, Mounted>): Pick<Mounted, 'device' | 'root'> | null {
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
  /** Forbidden paths that existed when the build began. */
  readonly existing: ReadonlySet<string>
  /** Pid of the sandbox's init on the host. */
  readonly init: number
  /** Process whose mount namespace the sandbox is built in. Default: the host's. */
  readonly within: number | undefined
  /** Mounts of that namespace. */
  readonly host: HostMounts | null
}

/** Reads the mounts of the host, or of a transaction's mount namespace. Returns null if they are unreadable. */
export function hostMountsOf(within: number | undefined): HostMounts | null {
  try {
    return mountsIn(kernelFile(`/proc/${within ?? 'self'}/mountinfo`))
  } catch {
    return null
  }
}

/**
 * Returns the first path that does not match the plan, or null. Between planning and mounting another process can
 * replace a directory by a symlink, which bubblewrap would follow. So the engine checks the kernel's mount table before
 * the command starts. The plan's paths contain no symlinks, so each names one directory of one file system.
 */
function firstMismatch(built: Built): string | null {
  if (built.host === null) return UNREADABLE
  const sandbox = mountsIn(kernelFile(`/proc/${built.init}/mountinfo`))
  // By now bubblewrap may have changed the root. All paths must match relative to one and the same root.
  const before = sandbox.has(UNFINISHED_ROOT) ? firstMismatchBelow(UNFINISHED_ROOT, sandbox, built.host, built) : '/'
  if (before === null) return null
  const after = firstMismatchBelow('', sandbox, built.host, built)
  return after === '/' ? before : after
}

function firstMismatchBelow(
  base: string,
  sandbox: HostMounts,
  host: HostMounts,
  { mounts, existing, within }: Built,
): string | null {
  const root = within === undefined ? '' : `/proc/${within}/root`
  const isRoot = process.geteuid?.() === 0
  const last = new Map(mounts.map((mount) => [mount.at, mount]))
  for (const mount of last.values()) {
    // The mount table is read as latin1, one character per byte, so names are compared in that form.
    const name = Buffer.from(mount.at).toString('latin1')
    const seen = sandbox.get(name === '/' ? base || '/' : `${base}${name}`)
    if (!isAsPlanned(mount, seen, host, { existing, isMissing: () => isMissing(root + mount.at) })) return mount.at
    if (mount.op === 'dev' && isRoot && !hasReadOnlyDevices(`${base}${name}`, sandbox)) return mount.at
  }
  return null
}

/** Checks the host's devices, whose modes root could change. */
const hasReadOnlyDevices = (at: string, sandbox: HostMounts): boolean =>
  DEVICES.every((name) => sandbox.get(`${at}/${name}`)?.isReadOnly !== false)

interface ExistenceChecks {
  readonly existing: ReadonlySet<string>
  isMissing(): boolean
}

function isAsPlanned(
  mount: Mount,
  seen: Mounted | undefined,
  host: ReadonlyMap<string, Mounted>,
  { existing, isMissing }: ExistenceChecks,
): boolean {
  const hostPath = 'from' in mount ? mount.from : mount.at
  const source = sourceOf(Buffer.from(hostPath).toString('latin1'), host)
  const isSource = seen !== undefined && seen.device === source?.device && seen.root === source.root
  switch (mount.op) {
    case 'read':
      return isSource && seen.isReadOnly
    case 'write':
      return isSource
    case 'forbid':
      return existing.has(mount.at) ? isSource && seen.isReadOnly : true
    case 'keep':
    case 'crowded':
      return true
    case 'pin':
      return isSource || (seen === undefined && isMissing())
    case 'proc':
      return seen?.kind === 'proc'
    case 'dev':
    case 'tmpfs':
    case 'hide-directory':
    case 'empty-directory':
    case 'hide-file':
    case 'mask':
      return seen?.kind === 'tmpfs' && seen.device !== source?.device
  }
}

/**
 * Returns an error if the sandbox does not match the plan, or null. An unreadable mount table is an error. A table read
 * during the change of the root can mix both roots, so a mismatch is read again first.
 */
export async function mountFault(built: Built): Promise<CordonError | null> {
  let place = mismatchOf(built)
  for (let delayMs = 1; place !== null && place !== UNREADABLE && delayMs <= SETTLED_MS; delayMs *= 2) {
    await sleep(delayMs)
    place = mismatchOf(built)
  }
  if (place === null) return null
  return new CordonError(
    'START_FAILED',
    `The sandbox does not match the plan: ${place || '/'} was replaced while the sandbox was being built. Nothing was run. Find the process that changes this path, then try again.`,
    { place: place || '/' },
  )
}

function mismatchOf(built: Built): string | null {
  try {
    return firstMismatch(built)
  } catch {
    return UNREADABLE
  }
}
