import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, readFileSync } from 'node:fs'
import { CordonError } from '../../core/model/errors.js'
import type { Plan, Wall } from '../../core/model/plan.js'
import { anonymousFile } from './anonymous-file.js'
import { type FirstFds, wallArguments } from './bubblewrap-arguments.js'
import { inNamespaceOf } from './enter-namespace.js'
import type { Channel } from './fifos.js'
import { type InheritedDescriptors, sealed } from './inherited-descriptors.js'
import type { Masks } from './mask-reports.js'
import { prlimitPrefix, ulimitLines } from './rlimits.js'
import { seccompFilter } from './seccomp.js'
import type { Streams } from './streams.js'

const ARGS_FD = 3
/** Descriptor of bubblewrap on which it reports. */
export const STATUS_FD = 4
const SECCOMP_FD = 5
const PRELUDE_FD = 6
/** Descriptor on which a wall built ahead waits for its command. */
export const REQUEST_FD = 7
/** Descriptor on which bubblewrap waits, the wall built, until the command may run. */
const GATE_FD = 8
const FIRST_CONTENT_FD = 9

/** Where bash finds the lines that set its limits, before it reads the script. */
const PRELUDE_PATH = '/dev/.cordon-limits'

export interface ColdWall {
  readonly bwrap: string
  readonly plan: Plan
  readonly wall: Extract<Wall, { kind: 'bubblewrap' }>
  readonly streams: Streams
  /** Forbidden places that exist by now. */
  readonly existing: ReadonlySet<string>
  readonly inherited: InheritedDescriptors
  readonly masked: Masks
  /** The pipe on which masks report; null when the wall has none. */
  readonly reports: string | null
  /** The variable by which bubblewrap itself, not the command, is recognised from outside. */
  readonly mark: readonly [string, string]
  /** Our copy of the descriptor on which it waits for its command; null when it has it already. */
  readonly request: number | null
  /** Until its other end is closed, nothing of the command runs; null when it may at once. */
  readonly gate: Channel | null
  /** A process whose network namespace the command shares; null when it gets one of its own, or the host's. */
  readonly networkOf: number | null
  /** From `privatePrefix` and `requiredFilter`: the same for every wall of this host. */
  readonly prefix: readonly string[]
  readonly filter: Buffer
}

const isShell = ({ argv }: Plan): boolean => argv[1] === '-c' && /(^|\/)bash$/.test(argv[0] ?? '')

/**
 * Bash sets its own limits from BASH_ENV, which costs nothing; `exec prlimit bash` would start another program first. The
 * variable is gone, or what the plan says, before the script is read.
 */
function prelude(plan: Plan): string | null {
  const lines = isShell(plan) ? ulimitLines(plan.limits) : null
  if (lines === null) return null
  const own = plan.env.find(([name]) => name === 'BASH_ENV')?.[1]
  if (own === undefined) return `${lines}\nunset BASH_ENV\n`
  return `${lines}\nBASH_ENV='${own.replaceAll("'", "'\\''")}'\n[[ -r $BASH_ENV ]] && . "$BASH_ENV"\n`
}

/**
 * Mounts made on the host later would appear inside, writable, where the host shares its mounts with new namespaces; then
 * bubblewrap is started in a namespace that shares nothing.
 */
export function privatePrefix(mountinfo: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly string[] {
  if (!/^(\S+ ){6}.*?\bshared:/m.test(mountinfo)) return []
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']
  return ['/usr/bin/unshare', ...asUser, '--mount', '--propagation', 'private', '--']
}

/** The namespace of an ordinary user's network belongs to a user namespace, which has to be entered first. */
const networkPrefix = (pid: number): readonly string[] => [
  '/usr/bin/nsenter',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']),
  ...['--net', '--target', `${pid}`, '--'],
]

/** Starts bubblewrap for one command. Everything it is told but the command itself comes by descriptor, out of sight of `ps`. */
export function startCold({
  bwrap,
  plan,
  wall,
  streams,
  existing,
  inherited,
  masked,
  reports,
  mark,
  request,
  gate,
  networkOf,
  prefix,
  filter,
}: ColdWall): ChildProcess {
  const lines = prelude(plan)
  const fds: FirstFds = {
    status: STATUS_FD,
    seccomp: SECCOMP_FD,
    prelude: lines === null ? null : PRELUDE_FD,
    gate: gate === null ? null : GATE_FD,
    contents: FIRST_CONTENT_FD,
  }
  const setting = {
    fds,
    asRoot: process.getuid?.() === 0,
    existing,
    preludePath: PRELUDE_PATH,
    joinsNetwork: networkOf !== null,
    reports,
  }
  const { args, contents } = wallArguments(plan, wall, setting)
  const texts = [`${args.join('\0')}\0`, filter, ...(lines === null ? [] : [lines])]
  const files = texts.map((data) => anonymousFile(Buffer.from(data)))
  const [feed = 0, seccomp = 0, first = 'ignore' as const] = files
  const masks = contents.map((content) => (content === 'empty' ? null : anonymousFile(masked.program(content.mask))))
  const wanted = [
    ...streams.stdio,
    feed,
    'pipe' as const,
    seccomp,
    first,
    request ?? ('ignore' as const),
    gate?.theirs ?? ('ignore' as const),
    ...masks.map((mask) => mask ?? inherited.nothing),
  ]
  const limits = isShell(plan) ? [] : prlimitPrefix(plan.limits)
  const argv = [bwrap, '--args', `${ARGS_FD}`, '--', ...limits, ...plan.argv] as const
  const [program = '', ...rest] = [
    ...(networkOf === null ? [] : networkPrefix(networkOf)),
    ...(wall.within === undefined ? [...prefix, ...argv] : inNamespaceOf(wall.within, argv)),
  ]
  try {
    const child = spawn(program, rest, {
      cwd: '/',
      // What the request sets acts on the command, never on bubblewrap outside the wall: LD_PRELOAD would be code on the host.
      env: Object.fromEntries([mark]),
      stdio: sealed(wanted, inherited.list(), inherited.nothing),
      // Ctrl-C in a terminal goes to the engine, which stops the command in its own order.
      detached: true,
    })
    streams.handedOver()
    return child
  } catch (error) {
    streams.discard()
    throw new CordonError('START_FAILED', `The command could not be started: ${(error as Error).message}.`)
  } finally {
    for (const file of [...files, ...masks, request, gate?.theirs ?? null]) if (file !== null) closeSync(file)
  }
}

/** The filter of system calls for this machine. Throws SANDBOX_UNAVAILABLE where there is none: there is no wall without it. */
export function requiredFilter(): Buffer {
  const bytes = seccompFilter()
  if (bytes !== null) return bytes
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    `The wall's filter of system calls is not made for this kind of machine (${process.arch}). Use one with x64 or arm64.`,
  )
}
