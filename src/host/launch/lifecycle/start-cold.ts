import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { BubblewrapSandbox, Plan } from '../../../core/model/policy/plan.js'
import type { Argv } from '../../helper-process/mount-namespace.js'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { prlimitPrefix, ulimitLines } from '../limits/rlimits.js'
import { enterNamespaces } from '../process/enter-namespace.js'
import { sealed } from '../process/inherited-descriptors.js'
import type { PassedDescriptor } from '../process/passed-descriptor.js'
import { type FirstFds, HIDDEN_TEXT, sandboxArguments } from '../sandbox/bubblewrap-arguments.js'
import {
  ARGS_FD,
  FIRST_CONTENT_FD,
  MOUNTED_FD,
  MOUNTED_REPORT_FD,
  PRELUDE_FD,
  READY_FD,
  REQUEST_FD,
  SECCOMP_FD,
  STATUS_FD,
} from '../sandbox/descriptors.js'
import type { Gate } from '../sandbox/gate.js'
import type { Masks } from '../sandbox/mask-reports.js'
import { hostedSandboxProcess, type SandboxProcess, spawnedSandboxProcess } from '../sandbox/sandbox-process.js'
import { seccompFilter } from '../sandbox/seccomp-filter.js'
import { isShell } from '../sandbox/shell-plan.js'
import { anonymousFile } from '../streams/anonymous-file.js'
import type { Channel } from '../streams/fifos.js'
import type { Streams } from '../streams/standard-streams.js'
import type { ZygoteHost } from '../zygote/zygote-host.js'
import type { SandboxDeps } from './sandbox-deps.js'

/** Path of the lines by which bash sets its limits, before it reads the script. */
export const PRELUDE_PATH = '/dev/.cordon-limits'

/** Options of a sandbox besides its plan. */
export interface StartOptions {
  /** Our copy of the descriptor of its command. Null if it has its command already. */
  readonly requestFd: number | null
  /** Lines that bash runs before it waits for its script, in a warm sandbox. Null otherwise. */
  readonly waiting: string | null
  /** Process whose network namespace the command shares. Null if it gets its own, or the host's. */
  readonly networkOf: number | null
  /** Starts bubblewrap. Null: this process does. */
  readonly zygoteHost: ZygoteHost | null
  /** True if the sandbox is only cloned and never used. */
  readonly isTemplate: boolean
}

export interface ColdSandbox extends SandboxDeps, StartOptions {
  readonly plan: Plan
  readonly sandbox: BubblewrapSandbox
  readonly streams: Streams
  /** Forbidden paths that exist already. */
  readonly existing: ReadonlySet<string>
  readonly masked: Masks
  readonly hasMasks: boolean
  /** Cgroup files by which bubblewrap enters its cgroups first. */
  readonly cgroupFiles: readonly string[]
  /** Blocks bubblewrap before the command starts. */
  readonly gate: Gate
}

/**
 * Returns lines by which bash sets its own limits from BASH_ENV at no cost; `exec prlimit bash` would start another
 * program. The lines restore the plan's BASH_ENV before the script is read.
 */
function prelude(plan: Plan): string | null {
  const lines = isShell(plan) ? ulimitLines(plan.limits) : null
  if (lines === null) return null
  const own = plan.env.find(([name]) => name === 'BASH_ENV')?.[1]
  if (own === undefined) return `${lines}\nunset BASH_ENV\n`
  return `${lines}\nBASH_ENV='${own.replaceAll("'", "'\\''")}'\n[[ -r $BASH_ENV ]] && . "$BASH_ENV"\n`
}

interface BubblewrapCommand {
  readonly argv: Argv
  readonly passed: readonly PassedDescriptor[]
  /** Descriptors to close here after the start. */
  readonly own: readonly number[]
}

/** Prepares bubblewrap's arguments. All but the command itself come by descriptor, hidden from `ps`. */
function bubblewrapCommand(cold: ColdSandbox, status: Channel): BubblewrapCommand {
  const { plan, sandbox, streams, existing, requestFd, gate, networkOf } = cold
  const lines = cold.waiting ?? prelude(plan)
  const fds: FirstFds = {
    status: STATUS_FD,
    seccomp: SECCOMP_FD,
    prelude: lines === null ? null : PRELUDE_FD,
    mounted: { line: MOUNTED_FD, to: MOUNTED_REPORT_FD },
    contents: FIRST_CONTENT_FD,
  }
  const { args, contents } = sandboxArguments(plan, sandbox, {
    fds,
    asRoot: process.getuid?.() === 0,
    existing,
    preludePath: PRELUDE_PATH,
    joinsNetwork: networkOf !== null,
    ...(cold.hasMasks ? { reports: cold.reports.pipe } : {}),
    isTemplate: cold.isTemplate,
  })
  const files = [`${args.join('\0')}\0`, ...(lines === null ? [] : [lines])].map((data) =>
    anonymousFile(Buffer.from(data)),
  )
  const masks = contents.map((content) =>
    anonymousFile(content === 'hidden' ? Buffer.from(HIDDEN_TEXT) : cold.masked.program(content.mask)),
  )
  const [feed, first] = files
  // The zygote host opens it again. An inherited descriptor would continue at the last reader's offset.
  const line = cold.zygoteHost === null ? openSync(`/proc/self/fd/${cold.mountedLine}`, 'r') : null
  const read = (as: number, ours: number | null | undefined): readonly PassedDescriptor[] =>
    typeof ours === 'number' ? [{ as, ours, to: 'read' }] : []
  return {
    argv: argvOf(cold),
    passed: [
      ...streams.passed,
      ...[...read(ARGS_FD, feed), ...read(SECCOMP_FD, gate.channel.theirs), ...read(PRELUDE_FD, first)],
      ...[...read(REQUEST_FD, requestFd), ...read(MOUNTED_FD, line ?? cold.mountedLine)],
      ...[STATUS_FD, MOUNTED_REPORT_FD].map((as): PassedDescriptor => ({ as, ours: status.theirs, to: 'write' })),
      ...(requestFd === null ? [] : [{ as: READY_FD, ours: status.theirs, to: 'write' } as const]),
      ...masks.flatMap((mask, index) => read(FIRST_CONTENT_FD + index, mask)),
    ],
    own: [...files, line, ...masks, requestFd, gate.channel.theirs, status.theirs].filter((file) => file !== null),
  }
}

function argvOf({ bwrap, plan, sandbox, networkOf, mounts }: ColdSandbox): Argv {
  const limits = isShell(plan) ? [] : prlimitPrefix(plan.limits)
  const argv = [bwrap, '--args', `${ARGS_FD}`, '--', ...limits, ...plan.argv] as const
  return enterNamespaces({ networkOf, mountsOf: sandbox.within ?? mounts.pid, prefix: mounts.prefix }, argv)
}

/** Starts bubblewrap for one command, by the zygote host or by this process. */
export function startCold(cold: ColdSandbox): SandboxProcess {
  const channel = cold.fifos.output()
  const { argv, passed, own } = bubblewrapCommand(cold, channel)
  const closeOurCopies = (): void => {
    cold.streams.closeOurCopies()
    for (const file of own) closeSync(file)
  }
  if (cold.zygoteHost === null)
    return spawnedSandboxProcess(startHere(cold, argv, passed, closeOurCopies), statusOn(channel), channel.ours)
  const startOrder = { argv, passed, status: STATUS_FD, cgroupFiles: cold.cgroupFiles, closeOurCopies }
  return hostedSandboxProcess(
    cold.zygoteHost.start(startOrder, () => statusOn(channel)),
    channel.ours,
  )
}

function statusOn(channel: Channel): Socket {
  const status = new Socket({ fd: channel.ours, readable: true, writable: false })
  status.on('error', () => status.destroy())
  status.once('close', () => channel.recycle())
  return status
}

const enteringGroups = (cgroupFiles: readonly string[], argv: Argv): Argv =>
  cgroupFiles.length === 0
    ? argv
    : ['/bin/sh', '-c', helperScript('enter-cgroups.sh'), 'sh', `${cgroupFiles.length}`, ...cgroupFiles, ...argv]

function startHere(
  { engineVariable, inherited, streams, cgroupFiles }: ColdSandbox,
  argv: Argv,
  passed: readonly PassedDescriptor[],
  closeOurCopies: () => void,
): ChildProcess {
  const [program, ...args] = enteringGroups(cgroupFiles, argv)
  const stdio: (number | 'ignore')[] = Array.from({ length: FIRST_CONTENT_FD }, () => 'ignore')
  for (const { as, ours } of passed) stdio[as] = ours
  try {
    return spawn(program, args, {
      cwd: '/',
      // The request's variables apply to the command, not to bubblewrap outside the sandbox: LD_PRELOAD would run code
      // on the host.
      env: Object.fromEntries([engineVariable]),
      stdio: sealed(stdio, inherited.list(), inherited.devNull),
      // Ctrl-C in a terminal goes to the engine, which stops the command in order.
      detached: true,
    })
  } catch (error) {
    streams.discard()
    throw new CordonError('START_FAILED', `Cordon could not start the command: ${(error as Error).message}.`)
  } finally {
    closeOurCopies()
  }
}

/** Returns the seccomp filter of this machine; see `seccompFilter`. Throws SANDBOX_UNAVAILABLE if there is none. */
export function requiredFilter(hasUnixSockets: boolean): Buffer {
  const bytes = seccompFilter(hasUnixSockets)
  if (bytes !== null) return bytes
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    `The sandbox has no seccomp filter for this architecture (${process.arch}). Use an x64 or arm64 machine.`,
  )
}
