import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { groupOf, isDead, sendSignal } from './process-tree.js'
import { kernelFile, kernelFileIfAny } from './read-kernel-file.js'

/** Above this number of new processes, listing /proc is cheaper than probing each pid. */
const PROBE_AT_MOST = 256
/** Time in which no machine uses up all pids and starts again. */
const PROBE_WITHIN_MS = 250
/** Bound of the rounds. A process can fork between listing and killing; each round leaves fewer. */
const MAX_ROUNDS = 200
/** Enough empty rounds on a host that starts processes all the time. */
const EMPTY_ROUNDS = 3

/** Matches the process tag. No process here uses real-time scheduling, so this limit has no other use. */
const TAGGED = /^Max realtime timeout +(\d+) /m

/** Identifies a command's processes after setsid, double forks or daemonising. Child processes inherit both parts. */
export interface ProcessTag {
  /** Name of an environment variable. */
  readonly name: string
  readonly value: string
  /** Soft RLIMIT_RTTIME, which survives a wiped environment and closed descriptors. */
  readonly rttime: string
}

/** Start time of a command, and the pid of its first process. */
export interface Since {
  readonly pid: number
  readonly at: number
}

/** Returns the pid of the newest process on the host, without a listing. */
function newestPid(): number {
  return Number(kernelFile('/proc/loadavg').trim().split(' ')[4])
}

function candidates({ pid, at }: Since, newest: number): readonly number[] {
  if (newest >= pid && newest - pid <= PROBE_AT_MOST && performance.now() - at < PROBE_WITHIN_MS) {
    return Array.from({ length: newest - pid }, (_, index) => pid + 1 + index)
  }
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

function carries(pid: number, { name, value, rttime }: ProcessTag): boolean {
  const limits = kernelFileIfAny(`/proc/${pid}/limits`)
  if (limits === null) return false
  // A zombie keeps its limits until it is reaped.
  if (TAGGED.exec(limits)?.[1] === rttime) return !isDead(pid)
  return kernelFileIfAny(`/proc/${pid}/environ`)?.split('\0').includes(`${name}=${value}`) ?? false
}

/** Returns living processes that carry the tag, without the first one. */
export function taggedProcesses(tag: ProcessTag, since: Since): readonly number[] {
  return candidates(since, newestPid()).filter((pid) => carries(pid, tag))
}

/**
 * Kills processes until none carries the tag. A process that forks and ends before it is checked is found by its
 * child's pid. So an empty round counts only if no process of the host started meanwhile, or if it is the third in a
 * row.
 */
export async function killTagged(tag: ProcessTag, since: Since): Promise<void> {
  for (let round = 0, empty = 0; round < MAX_ROUNDS && empty < EMPTY_ROUNDS; round += 1) {
    const newest = newestPid()
    const found = candidates(since, newest).filter((pid) => carries(pid, tag))
    if (found.length === 0 && newestPid() === newest) return
    empty = found.length === 0 ? empty + 1 : 0
    // Killing a group stops all of it at once, however fast it forks. The command leads its own session, so the groups
    // are its own.
    const groups = new Set(found.flatMap((pid) => groupOf(pid) ?? []))
    for (const target of [...[...groups].map((group) => -group), ...found]) sendSignal(target, 'SIGKILL')
    if (found.length > 0) await sleep(Math.min(round, 10))
  }
}
