import { LIMITS } from '../../../core/model/basics/limits.js'
import type { Mount } from '../../../core/model/policy/plan.js'
import { mountEntries } from '../process/mount-entries.js'

const [RDONLY, NOSUID, NODEV, NOEXEC] = [1, 2, 4, 8] as const

/** File system that every clone mounts anew, because it must not share it. */
export interface FreshMount {
  readonly type: 'proc' | 'devpts' | 'tmpfs'
  readonly at: string
  readonly flags: number
  readonly data: string
  /** Mounts of the template directly below, which are moved to the new mount. Paths relative to `at`. */
  readonly below: readonly string[]
}

type Bare = Omit<FreshMount, 'below'>

const sized = (mode: string, bytes: number | null): string => (bytes === null ? mode : `${mode},size=${bytes}`)

const isRoot = (): boolean => process.geteuid?.() === 0

/** Returns the new mounts with bubblewrap's flags and options. */
function freshOf(mount: Mount): readonly Bare[] {
  switch (mount.op) {
    case 'proc':
      return [{ type: 'proc', at: mount.at, flags: NOSUID | NODEV | NOEXEC | (isRoot() ? RDONLY : 0), data: '' }]
    case 'dev':
      return [
        {
          type: 'devpts',
          at: `${mount.at}/pts`,
          flags: NOSUID | NOEXEC,
          data: 'newinstance,ptmxmode=0666,mode=620',
        },
        {
          type: 'tmpfs',
          at: `${mount.at}/shm`,
          flags: NOSUID | NODEV,
          data: sized('mode=1777', LIMITS.sandboxShmBytes),
        },
      ]
    case 'tmpfs':
      return [{ type: 'tmpfs', at: mount.at, flags: NOSUID | NODEV, data: sized('mode=1777', mount.bytes) }]
    default:
      return []
  }
}

/**
 * Returns the file systems that a template's clones mount anew, with the template's mounts below them. Returns null if
 * a clone could differ from its template. `mountinfo` is the template's mount table, as latin1.
 */
export function freshMounts(mounts: readonly Mount[], mountinfo: string): readonly FreshMount[] | null {
  const bare = mounts.flatMap(freshOf).map((mount) => ({ ...mount, at: Buffer.from(mount.at).toString('latin1') }))
  const has = (type: Bare['type'], at: string): boolean => bare.some((one) => one.type === type && one.at === at)
  if (!has('proc', '/proc') || !has('devpts', '/dev/pts')) return null
  const all = mountEntries(mountinfo)
  const found = bare.map((mount) => {
    // The last mount at a path is on top.
    const own = all.findLast(({ at }) => at === mount.at)
    const below = all.filter(({ parent }) => parent === own?.id).map(({ at }) => at.slice(mount.at.length + 1))
    return own === undefined || below.includes('') ? null : { ...mount, below }
  })
  return found.includes(null) ? null : found.filter((mount) => mount !== null)
}
