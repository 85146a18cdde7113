import { CordonError } from '../../core/model/errors.js'
import { LIMITS } from '../../core/model/limits.js'
import type { Mount, Plan, Sandbox } from '../../core/model/plan.js'
import { REPORTS_PATH } from './mask-reports.js'

/** Descriptors bubblewrap is given. */
export interface FirstFds {
  /** On which it reports the init's pid and the exit status. */
  readonly status: number
  /** Reads as the seccomp filter, when everything else is done. */
  readonly seccomp: number
  /** Reads as lines for bash to start with; null when there are none. */
  readonly prelude: number | null
  /** Reads as `MOUNTED_LINE`, and where that is to be written when everything is mounted. */
  readonly mounted?: { readonly line: number; readonly to: number }
  /** First of those that read as the contents of hidden files and masks, one for each. */
  readonly contents: number
}

/** Everything but the plan that the arguments depend on. */
export interface Setting {
  readonly fds: FirstFds
  /** Root owns the files of /proc/sys, and a user namespace alone does not stop it from writing them. */
  readonly asRoot: boolean
  /** Forbidden places that exist by now; the others are taken back afterwards. */
  readonly existing: ReadonlySet<string>
  readonly preludePath: string
  /** The pipe on which masks report that they were executed. */
  readonly reports?: string
  /** Bubblewrap is already started in the network the command gets. */
  readonly joinsNetwork: boolean
  /** Nothing but a shell of ours will run in it, and those copied from it need a user namespace each. */
  readonly isTemplate?: boolean
}

export interface WallArguments {
  readonly args: readonly string[]
  /** What the descriptors from `fds.contents` on must read as, in order. */
  readonly contents: readonly Content[]
}

/** The text of a hidden file, which is never read but has a size; or the mask that stands in the place of a program. */
export type Content = 'hidden' | { readonly mask: string }
export const HIDDEN_TEXT = 'hidden by cordon\n'

/** Where bubblewrap has the root of the wall while it mounts; then that becomes the root. */
export const UNFINISHED_ROOT = '/newroot'

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

const ISOLATION: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  // Root keeps every capability otherwise, and could remount the host's directories writable.
  ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--hostname', 'cordon'],
]

/** Files through which root in a user namespace still reaches the kernel of the host: core_pattern alone is code as real root. */
const KERNEL_SWITCHES: readonly string[] = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs', '/proc/acpi', '/proc/scsi']

/**
 * The init runs as the command does and lets itself be written by it: code put there could undo that the wall dies with its engine, or tell of
 * another ending. A device cannot be opened where it is mounted like this.
 */
const MEMORY_OF_INIT: readonly string[] = ['1/mem', '1/task/1/mem']

/** Inits of copies are in another user namespace than what runs in them, and out of its reach. */
const procArgs = (at: string, { asRoot, isTemplate }: Setting): string[] => [
  ...['--proc', at],
  ...(asRoot ? KERNEL_SWITCHES.flatMap((file) => ['--ro-bind-try', file, file]) : []),
  ...(isTemplate ? [] : MEMORY_OF_INIT.flatMap((file) => ['--ro-bind', '/dev/null', `${at}/${file}`])),
]

interface MountContext extends Setting {
  readonly passed: ReadonlySet<string>
}

function mountArgs(mount: Mount, setting: MountContext, fdOf: (content: Content) => number): readonly string[] {
  switch (mount.op) {
    case 'read':
      return ['--ro-bind', mount.from, mount.at]
    case 'write':
      return ['--bind', mount.from, mount.at]
    case 'pin':
      return ['--bind-try', mount.at, mount.at]
    case 'forbid':
      return setting.existing.has(mount.at) ? ['--ro-bind', mount.at, mount.at] : []
    case 'keep':
      return []
    case 'dev':
      // Bubblewrap's own /dev/shm has no limit.
      return ['--dev', mount.at, '--perms', '1777', '--size', `${LIMITS.wallShmBytes}`, '--tmpfs', `${mount.at}/shm`]
    case 'proc':
      return procArgs(mount.at, setting)
    case 'tmpfs':
      return ['--perms', '1777', ...(mount.bytes === null ? [] : ['--size', `${mount.bytes}`]), '--tmpfs', mount.at]
    case 'empty-directory':
      return ['--perms', '0555', '--tmpfs', mount.at]
    case 'hide-directory':
      return ['--perms', setting.passed.has(mount.at) ? '0111' : '0000', '--tmpfs', mount.at]
    case 'hide-file':
      // Nobody inside has the capability to open it all the same, root neither, and the mount is read-only: no chmod.
      return ['--perms', '0000', '--ro-bind-data', `${fdOf('hidden')}`, mount.at]
    case 'mask':
      return ['--perms', '0555', '--ro-bind-data', `${fdOf({ mask: mount.at })}`, mount.at]
  }
}

/** Where a command can write and what it writes is memory. */
export function placesInMemory(mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(({ op, at }) => (op === 'tmpfs' ? at : op === 'dev' ? `${at}/shm` : []))
}

const SEALED: ReadonlySet<Mount['op']> = new Set(['dev', 'hide-directory', 'empty-directory'])

/** Hidden directories that a command passes through on its way to something mounted below them. */
function passedThrough(mounts: readonly Mount[]): ReadonlySet<string> {
  const open = mounts.filter(({ op }) => op === 'read' || op === 'write' || op === 'tmpfs')
  const hidden = mounts.filter(({ op }) => op === 'hide-directory').map(({ at }) => at)
  return new Set(hidden.filter((above) => open.some(({ at }) => at.startsWith(`${above}/`))))
}

/** Made read-only only after everything inside them is mounted. */
function sealArgs(mounts: readonly Mount[], { asRoot }: Setting): string[] {
  // The modes of what is in /proc are those of every other /proc on the host, and root owns what is there.
  const isSealed = ({ op }: Mount): boolean => SEALED.has(op) || (op === 'proc' && asRoot)
  return mounts.flatMap((mount) => (isSealed(mount) ? ['--remount-ro', mount.at] : []))
}

/** What is said when everything is mounted. */
export const MOUNTED = '"cordon-mounted"'
export const MOUNTED_LINE = `{${MOUNTED}: true}\n`

/**
 * A "file" that is a descriptor. To block on that, which can only be written, fails at once and is not taken for an error; then bubblewrap closes it, and
 * neither the command nor its init has it.
 */
const toldArgs = ({ mounted }: FirstFds): string[] =>
  mounted === undefined
    ? []
    : ['--file', `${mounted.line}`, `/proc/self/fd/${mounted.to}`, '--block-fd', `${mounted.to}`]

function withoutNul(args: readonly string[]): readonly string[] {
  // Arguments travel separated by NUL: one inside a value would be an argument of the wall itself.
  const bad = args.find((arg) => arg.includes('\0'))
  if (bad === undefined) return args
  throw new CordonError(
    'INVALID_ARGUMENTS',
    `A path or variable of the plan holds a NUL byte, which none can: ${JSON.stringify(bad)}. Remove it.`,
  )
}

/** The plan as arguments of bubblewrap, all but the command itself. */
export function wallArguments(plan: Plan, wall: BubblewrapWall, setting: Setting): WallArguments {
  const contents: Content[] = []
  const { fds, preludePath } = setting
  const fdOf = (content: Content): number => fds.contents + contents.push(content) - 1
  const context = { ...setting, passed: passedThrough(wall.mounts) }
  const prelude = fds.prelude === null ? [] : ['--perms', '0444', '--file', `${fds.prelude}`, preludePath]
  const args = [
    ...ISOLATION,
    ...(setting.isTemplate ? [] : ['--disable-userns']),
    ...(wall.network === 'full' || setting.joinsNetwork ? [] : ['--unshare-net']),
    ...wall.mounts.flatMap((mount) => mountArgs(mount, context, fdOf)),
    ...prelude,
    ...(setting.reports === undefined ? [] : ['--ro-bind', setting.reports, REPORTS_PATH]),
    ...toldArgs(fds),
    ...sealArgs(wall.mounts, setting),
    ...['--chdir', plan.cwd, '--clearenv', ...plan.env.flatMap(([name, value]) => ['--setenv', name, value])],
    ...(fds.prelude === null ? [] : ['--setenv', 'BASH_ENV', preludePath]),
    ...['--json-status-fd', `${fds.status}`, '--seccomp', `${fds.seccomp}`],
  ]
  return { args: withoutNul(args), contents }
}
