import { CordonError } from '../../../core/model/basics/errors.js'
import { LIMITS } from '../../../core/model/basics/limits.js'
import type { BubblewrapSandbox, Mount, Plan } from '../../../core/model/policy/plan.js'
import { REPORTS_PATH } from './mask-reports.js'

/** Descriptors of bubblewrap. */
export interface FirstFds {
  /** Receives the init's pid and the exit status. */
  readonly status: number
  /** Yields the seccomp filter, after everything else is done. */
  readonly seccomp: number
  /** Yields lines that bash runs first, or null. */
  readonly prelude: number | null
  /** `line` yields `MOUNTED_LINE`, which bubblewrap writes to `to` after all mounts. */
  readonly mounted?: { readonly line: number; readonly to: number }
  /** First descriptor of the contents of hidden files and masks, one for each. */
  readonly contents: number
}

/** Inputs of the arguments besides the plan. */
export interface Setting {
  readonly fds: FirstFds
  /** True for root, who owns the files of /proc/sys. A user namespace alone does not stop root from writing them. */
  readonly asRoot: boolean
  /** Forbidden paths that exist already. Paths that appear later are moved to quarantine. */
  readonly existing: ReadonlySet<string>
  readonly preludePath: string
  /** Pipe on which masks report that they were executed. */
  readonly reports?: string
  /** True if bubblewrap starts inside the command's network namespace. */
  readonly joinsNetwork: boolean
  /** True for a template: only Cordon's own shell runs in it, and each clone needs a user namespace. */
  readonly isTemplate?: boolean
}

export interface SandboxArguments {
  readonly args: readonly string[]
  /** Contents of the descriptors from `fds.contents` on, in order. */
  readonly contents: readonly Content[]
}

/** Text of a hidden file, which is never read but has a size, or the mask of a denied program. */
export type Content = 'hidden' | { readonly mask: string }
export const HIDDEN_TEXT = 'hidden by cordon\n'

/** Path of the sandbox's root while bubblewrap mounts. Later that directory becomes the root. */
export const UNFINISHED_ROOT = '/newroot'

const ISOLATION: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  // Root keeps every capability otherwise, and could remount the host's directories writable.
  ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
]

/**
 * Files through which root in a user namespace still reaches the host's kernel. core_pattern alone runs code as real
 * root.
 */
const KERNEL_SWITCHES: readonly string[] = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs', '/proc/acpi', '/proc/scsi']

/**
 * The init runs as the command's user, which could write its memory. Code there could outlive the engine or forge the
 * exit status. A device mounted over the file cannot be opened.
 */
const MEMORY_OF_INIT: readonly string[] = ['1/mem', '1/task/1/mem']

/** Mounts /proc. Clones need no cover over the init's memory: their init is in another user namespace. */
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
    case 'crowded':
      return []
    case 'dev':
      // Bubblewrap's own /dev/shm has no limit.
      return ['--dev', mount.at, '--perms', '1777', '--size', `${LIMITS.sandboxShmBytes}`, '--tmpfs', `${mount.at}/shm`]
    case 'proc':
      return procArgs(mount.at, setting)
    case 'tmpfs':
      return ['--perms', '1777', ...(mount.bytes === null ? [] : ['--size', `${mount.bytes}`]), '--tmpfs', mount.at]
    case 'empty-directory':
      return ['--perms', '0555', '--tmpfs', mount.at]
    case 'hide-directory':
      return ['--perms', setting.passed.has(mount.at) ? '0111' : '0000', '--tmpfs', mount.at]
    case 'hide-file':
      // No process inside has the capability to open it, not even root. The mount is read-only, which prevents chmod.
      return ['--perms', '0000', '--ro-bind-data', `${fdOf('hidden')}`, mount.at]
    case 'mask':
      return ['--perms', '0555', '--ro-bind-data', `${fdOf({ mask: mount.at })}`, mount.at]
  }
}

/** Returns the paths at which the command writes to memory. */
export function tmpfsPaths(mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(({ op, at }) => (op === 'tmpfs' ? at : op === 'dev' ? `${at}/shm` : []))
}

const SEALED: ReadonlySet<Mount['op']> = new Set(['dev', 'hide-directory', 'empty-directory'])

/** Returns hidden directories on the way to something mounted below them. */
function passedThrough(mounts: readonly Mount[]): ReadonlySet<string> {
  const open = mounts.filter(({ op }) => op === 'read' || op === 'write' || op === 'tmpfs')
  const hidden = mounts.filter(({ op }) => op === 'hide-directory').map(({ at }) => at)
  return new Set(hidden.filter((above) => open.some(({ at }) => at.startsWith(`${above}/`))))
}

/** Remounts directories read-only after everything inside them is mounted. */
function sealArgs(mounts: readonly Mount[], { asRoot }: Setting): string[] {
  // Modes in /proc are shared with every other /proc of the host, and root owns its files.
  const isSealed = ({ op }: Mount): boolean => SEALED.has(op) || (op === 'proc' && asRoot)
  return mounts.flatMap((mount) => (isSealed(mount) ? ['--remount-ro', mount.at] : []))
}

/**
 * Makes bubblewrap write `MOUNTED_LINE` through a descriptor. `--block-fd` on a write-only descriptor fails at once
 * without an error, and then bubblewrap closes it. Neither the command nor its init has it.
 */
const mountedReportArgs = ({ mounted }: FirstFds): string[] =>
  mounted === undefined
    ? []
    : ['--file', `${mounted.line}`, `/proc/self/fd/${mounted.to}`, '--block-fd', `${mounted.to}`]

function withoutNul(args: readonly string[]): readonly string[] {
  // NUL separates the arguments. One inside a value would start another argument of bubblewrap.
  const bad = args.find((arg) => arg.includes('\0'))
  if (bad === undefined) return args
  throw new CordonError(
    'INVALID_ARGUMENTS',
    `A path or variable of the plan contains a NUL byte: ${JSON.stringify(bad)}. Remove it.`,
  )
}

/** Converts the plan to bubblewrap's arguments, without the command itself. */
export function sandboxArguments(plan: Plan, sandbox: BubblewrapSandbox, setting: Setting): SandboxArguments {
  const contents: Content[] = []
  const { fds, preludePath } = setting
  const fdOf = (content: Content): number => fds.contents + contents.push(content) - 1
  const context = { ...setting, passed: passedThrough(sandbox.mounts) }
  const prelude = fds.prelude === null ? [] : ['--perms', '0444', '--file', `${fds.prelude}`, preludePath]
  const args = [
    ...ISOLATION,
    ...(setting.isTemplate ? [] : ['--disable-userns']),
    ...(sandbox.network === 'full' || setting.joinsNetwork ? [] : ['--unshare-net']),
    ...sandbox.mounts.flatMap((mount) => mountArgs(mount, context, fdOf)),
    ...prelude,
    ...(setting.reports === undefined ? [] : ['--ro-bind', setting.reports, REPORTS_PATH]),
    ...mountedReportArgs(fds),
    ...sealArgs(sandbox.mounts, setting),
    ...['--chdir', plan.cwd, '--clearenv', ...plan.env.flatMap(([name, value]) => ['--setenv', name, value])],
    ...(fds.prelude === null ? [] : ['--setenv', 'BASH_ENV', preludePath]),
    ...['--json-status-fd', `${fds.status}`, '--seccomp', `${fds.seccomp}`],
  ]
  return { args: withoutNul(args), contents }
}
