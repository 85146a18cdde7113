import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { kernelFile, kernelFileIfAny } from './kernel-file.js'
import { groupOf, isDead, sendSignal } from './process-tree.js'

/** More new processes than this, and listing /proc is cheaper than probing each number. */
const PROBE_AT_MOST = 256
/** Numbers of processes are given out again; in less time than this no machine gets once around. */
const PROBE_WITHIN_MS = 250
/** A process can fork between being listed and being killed; each round leaves fewer. */
const MAX_ROUNDS = 200
/** On a host that never stops starting processes, finding none this often has to do. */
const EMPTY_ROUNDS = 3

/** The tag stands where nothing else does: no process here is scheduled for real time, and so none has a use for this limit. */
const TAGGED = /^Max realtime timeout +(\d+) /m

/** By what a command's processes are found wherever they went: setsid, double forks, daemons. Each is inherited by what they start. */
export interface Mark {
  /** A variable of their environment. */
  readonly name: string
  readonly value: string
  /** Their soft RLIMIT_RTTIME, which stays when the environment is wiped and every descriptor closed. */
  readonly tag: string
}

/** When the command was started, and the number its first process got. */
export interface Since {
  readonly pid: number
  readonly at: number
}

/** The number given to the newest process of the host, read without listing them. */
function newestPid(): number {
  return Number(kernelFile('/proc/loadavg').trim().split(' ')[4])
}

function candidates({ pid, at }: Since, newest: number): readonly number[] {
  if (newest >= pid && newest - pid <= PROBE_AT_MOST && performance.now() - at < PROBE_WITHIN_MS) {
    return Array.from({ length: newest - pid }, (_, index) => pid + 1 + index)
  }
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

function carries(pid: number, { name, value, tag }: Mark): boolean {
  const limits = kernelFileIfAny(`/proc/${pid}/limits`)
  if (limits === null) return false
  // The dead keep their limits until they are reaped.
  if (TAGGED.exec(limits)?.[1] === tag) return !isDead(pid)
  return kernelFileIfAny(`/proc/${pid}/environ`)?.split('\0').includes(`${name}=${value}`) ?? false
}

/** Living processes that carry the mark, the first of them aside. */
export function markedProcesses(mark: Mark, since: Since): readonly number[] {
  return candidates(since, newestPid()).filter((pid) => carries(pid, mark))
}

/**
 * Kills until none is left. One that forks and ends between being counted and being looked at is seen by its child's number: an empty
 * round counts only when no process of the host was started meanwhile, or when it is the third in a row.
 */
export async function sweep(mark: Mark, since: Since): Promise<void> {
  for (let round = 0, empty = 0; round < MAX_ROUNDS && empty < EMPTY_ROUNDS; round += 1) {
    const newest = newestPid()
    const found = candidates(since, newest).filter((pid) => carries(pid, mark))
    if (found.length === 0 && newestPid() === newest) return
    empty = found.length === 0 ? empty + 1 : 0
    // A whole group dies at once, however fast it forks. The command leads a session of its own, so its groups are no one else's.
    const groups = new Set(found.flatMap((pid) => groupOf(pid) ?? []))
    for (const target of [...[...groups].map((group) => -group), ...found]) sendSignal(target, 'SIGKILL')
    if (found.length > 0) await sleep(Math.min(round, 10))
  }
}
