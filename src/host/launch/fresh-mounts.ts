import { LIMITS } from '../../core/model/limits.js'
import type { Mount } from '../../core/model/plan.js'
import { mountEntries } from './mount-entries.js'

const [RDONLY, NOSUID, NODEV, NOEXEC] = [1, 2, 4, 8] as const

/** What a copy of a wall mounts anew, because it must share it with no other. */
export interface FreshMount {
  readonly type: 'proc' | 'devpts' | 'tmpfs'
  readonly at: string
  readonly flags: number
  readonly data: string
  /** What the template has mounted right below, which is taken over: paths relative to `at`. */
  readonly below: readonly string[]
}

type Bare = Omit<FreshMount, 'below'>

const sized = (mode: string, bytes: number | null): string => (bytes === null ? mode : `${mode},size=${bytes}`)

const isRoot = (): boolean => process.geteuid?.() === 0

/** With the flags and options bubblewrap mounts them with. */
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
          data: sized('mode=1777', LIMITS.wallShmBytes),
        },
      ]
    case 'tmpfs':
      return [{ type: 'tmpfs', at: mount.at, flags: NOSUID | NODEV, data: sized('mode=1777', mount.bytes) }]
    default:
      return []
  }
}

/**
 * What copies of a template mount anew, with what the template has mounted in those places; null where a copy could not be like it.
 * `mountinfo` is the kernel's own list of the template's mounts, as latin1.
 */
export function freshMounts(mounts: readonly Mount[], mountinfo: string): readonly FreshMount[] | null {
  const bare = mounts.flatMap(freshOf).map((mount) => ({ ...mount, at: Buffer.from(mount.at).toString('latin1') }))
  const has = (type: Bare['type'], at: string): boolean => bare.some((one) => one.type === type && one.at === at)
  if (!has('proc', '/proc') || !has('devpts', '/dev/pts')) return null
  const all = mountEntries(mountinfo)
  const found = bare.map((mount) => {
    // Of several in one place the last one is on top.
    const own = all.findLast(({ at }) => at === mount.at)
    const below = all.filter(({ parent }) => parent === own?.id).map(({ at }) => at.slice(mount.at.length + 1))
    return own === undefined || below.includes('') ? null : { ...mount, below }
  })
  return found.includes(null) ? null : found.filter((mount) => mount !== null)
}
