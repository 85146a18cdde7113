import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { CordonError } from '../../core/model/errors.js'
import type { Plan, Sandbox } from '../../core/model/plan.js'
import type { Argv } from '../helper-process/mount-namespace.js'
import { anonymousFile } from './anonymous-file.js'
import { type FirstFds, HIDDEN_TEXT, wallArguments } from './bubblewrap-arguments.js'
import { joining } from './enter-namespace.js'
import type { Channel, Fifos } from './fifos.js'
import type { Gate } from './gate.js'
import { type InheritedDescriptors, sealed } from './inherited-descriptors.js'
import type { Masks } from './mask-reports.js'
import type { Nursery, Passed } from './nursery.js'
import type { PrivateMounts } from './private-mounts.js'
import { prlimitPrefix, ulimitLines } from './rlimits.js'
import { seccompFilter } from './seccomp.js'
import type { Streams } from './streams.js'
import { isShell } from './waiting-shell.js'
import {
  ARGS_FD,
  FIRST_CONTENT_FD,
  MOUNTED_FD,
  PRELUDE_FD,
  READY_FD,
  REQUEST_FD,
  SECCOMP_FD,
  STATUS_FD,
  TOLD_FD,
} from './wall-descriptors.js'
import { nursedWall, spawnedWall, type WallProcess } from './wall-process.js'

/** Where bash finds the lines that set its limits, before it reads the script. */
export const PRELUDE_PATH = '/dev/.cordon-limits'

export interface ColdWall {
  readonly bwrap: string
  readonly plan: Plan
  readonly wall: Extract<Sandbox, { kind: 'bubblewrap' }>
  readonly streams: Streams
  /** Forbidden places that exist by now. */
  readonly existing: ReadonlySet<string>
  readonly inherited: InheritedDescriptors
  readonly masked: Masks
  /** The pipe on which masks report; null where there are none. */
  readonly reports: string | null
  /** Reads as what bubblewrap says when everything is mounted. */
  readonly mountedLine: number
  /** The variable by which bubblewrap itself, not the command, is recognised from outside. */
  readonly mark: readonly [string, string]
  readonly fifos: Fifos
  /** Who starts it; null: this very process. */
  readonly nursery: Nursery | null
  /** Files of cgroups through which it enters them before anything else. */
  readonly groups: readonly string[]
  /** What bash does before it reads its script, in a wall built ahead; null elsewhere. */
  readonly waiting: string | null
  /** Our copy of the descriptor on which it waits for its command; null when it has it already. */
  readonly request: number | null
  /** Where it waits before anything of the command runs. */
  readonly gate: Gate
  /** A process whose network namespace the command shares; null when it gets one of its own, or the host's. */
  readonly networkOf: number | null
  readonly mounts: PrivateMounts
  readonly isTemplate: boolean
}

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

interface Composed {
  readonly argv: Argv
  readonly passed: readonly Passed[]
  /** Descriptors that are of no more use to us once it is started. */
  readonly own: readonly number[]
}

/** Everything bubblewrap is told but the command itself comes by descriptor, out of sight of `ps`. */
function composed(of: ColdWall, status: Channel): Composed {
  const { plan, wall, streams, existing, request, gate, networkOf } = of
  const lines = of.waiting ?? prelude(plan)
  const fds: FirstFds = {
    status: STATUS_FD,
    seccomp: SECCOMP_FD,
    prelude: lines === null ? null : PRELUDE_FD,
    mounted: { line: MOUNTED_FD, to: TOLD_FD },
    contents: FIRST_CONTENT_FD,
  }
  const { args, contents } = wallArguments(plan, wall, {
    fds,
    asRoot: process.getuid?.() === 0,
    existing,
    preludePath: PRELUDE_PATH,
    joinsNetwork: networkOf !== null,
    ...(of.reports === null ? {} : { reports: of.reports }),
    isTemplate: of.isTemplate,
  })
  const files = [`${args.join('\0')}\0`, ...(lines === null ? [] : [lines])].map((data) =>
    anonymousFile(Buffer.from(data)),
  )
  const masks = contents.map((content) =>
    anonymousFile(content === 'hidden' ? Buffer.from(HIDDEN_TEXT) : of.masked.program(content.mask)),
  )
  const [feed, first] = files
  // The nursery opens it afresh; a descriptor that is handed down is read on from where the one before has left it.
  const line = of.nursery === null ? openSync(`/proc/self/fd/${of.mountedLine}`, 'r') : null
  const read = (as: number, ours: number | null | undefined): readonly Passed[] =>
    typeof ours === 'number' ? [{ as, ours, to: 'read' }] : []
  return {
    argv: argvOf(of),
    passed: [
      ...streams.passed,
      ...[...read(ARGS_FD, feed), ...read(SECCOMP_FD, gate.channel.theirs), ...read(PRELUDE_FD, first)],
      ...[...read(REQUEST_FD, request), ...read(MOUNTED_FD, line ?? of.mountedLine)],
      ...[STATUS_FD, TOLD_FD].map((as): Passed => ({ as, ours: status.theirs, to: 'write' })),
      ...(request === null ? [] : [{ as: READY_FD, ours: status.theirs, to: 'write' } as const]),
      ...masks.flatMap((mask, index) => read(FIRST_CONTENT_FD + index, mask)),
    ],
    own: [...files, line, ...masks, request, gate.channel.theirs, status.theirs].filter((file) => file !== null),
  }
}

function argvOf({ bwrap, plan, wall, networkOf, mounts }: ColdWall): Argv {
  const limits = isShell(plan) ? [] : prlimitPrefix(plan.limits)
  const argv = [bwrap, '--args', `${ARGS_FD}`, '--', ...limits, ...plan.argv] as const
  return joining({ networkOf, mountsOf: wall.within ?? mounts.pid, prefix: mounts.prefix }, argv)
}

/** Starts bubblewrap for one command: by the nursery, or by this very process where there is none. */
export function startCold(of: ColdWall): WallProcess {
  const channel = of.fifos.output()
  const { argv, passed, own } = composed(of, channel)
  const onHandedOver = (): void => {
    of.streams.handedOver()
    for (const file of own) closeSync(file)
  }
  if (of.nursery === null) return spawnedWall(startHere(of, argv, passed, onHandedOver), statusOn(channel))
  const order = { argv, passed, status: STATUS_FD, groups: of.groups, onHandedOver }
  return nursedWall(of.nursery.start(order, () => statusOn(channel)))
}

function statusOn(channel: Channel): Socket {
  const status = new Socket({ fd: channel.ours, readable: true, writable: false })
  status.on('error', () => status.destroy())
  status.once('close', () => channel.recycle())
  return status
}

/** Writes to `$1` files that put a process into cgroups, and becomes the rest. */
const ENTER_GROUPS =
  'n=$1; while [ "$n" -gt 0 ]; do shift; echo 0 >"$1" || exit 1; n=$((n - 1)); done; shift; exec "$@"'

const enteringGroups = (groups: readonly string[], argv: Argv): Argv =>
  groups.length === 0 ? argv : ['/bin/sh', '-c', ENTER_GROUPS, 'sh', `${groups.length}`, ...groups, ...argv]

function startHere(
  { mark, inherited, streams, groups }: ColdWall,
  argv: Argv,
  passed: readonly Passed[],
  onHandedOver: () => void,
): ChildProcess {
  const [program, ...args] = enteringGroups(groups, argv)
  const stdio: (number | 'ignore')[] = Array.from({ length: FIRST_CONTENT_FD }, () => 'ignore')
  for (const { as, ours } of passed) stdio[as] = ours
  try {
    return spawn(program, args, {
      cwd: '/',
      // What the request sets acts on the command, never on bubblewrap outside the wall: LD_PRELOAD would be code on the host.
      env: Object.fromEntries([mark]),
      stdio: sealed(stdio, inherited.list(), inherited.nothing),
      // Ctrl-C in a terminal goes to the engine, which stops the command in its own order.
      detached: true,
    })
  } catch (error) {
    streams.discard()
    throw new CordonError('START_FAILED', `The command could not be started: ${(error as Error).message}.`)
  } finally {
    onHandedOver()
  }
}

/** The seccomp filter for this machine; see `seccompFilter`. Throws SANDBOX_UNAVAILABLE where there is none: there is no sandbox without it. */
export function requiredFilter(hasUnixSockets: boolean): Buffer {
  const bytes = seccompFilter(hasUnixSockets)
  if (bytes !== null) return bytes
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    `The sandbox has no seccomp filter for this architecture (${process.arch}). Use an x64 or arm64 machine.`,
  )
}
