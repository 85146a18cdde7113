import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const PRLIMIT = '/usr/bin/prlimit'
/** Gives orphans and watchdogs time to end on a busy machine. */
const PATIENCE_MS = 20_000
const LOOK_MS = 100
const HARD = /^Max realtime timeout +\S+ +(\d+) /m

function contents(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function parentOf(pid: number): number {
  const stat = contents(`/proc/${pid}/stat`)
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Another process reaps zombies.
  return state === 'Z' ? process.pid : Number(parent)
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === ancestor) return true
  return false
}

/**
 * Tells this run's processes from those of any other on the machine: a hard limit that nothing uses, lowered once and
 * inherited by all, independent of their environment and session. Cordon sets the soft one beneath it. Returns
 * how to find those that are left when the run is over.
 */
export function markedRun(): () => Promise<readonly string[]> {
  const mark = `9${Array.from({ length: 18 }, () => randomInt(10)).join('')}`
  if (!existsSync(PRLIMIT)) return async () => []
  const { status } = spawnSync(PRLIMIT, ['--pid', `${process.pid}`, `--rttime=${mark}:${mark}`])
  if (status !== 0) return async () => []
  const left = (): readonly number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => HARD.exec(contents(`/proc/${pid}/limits`))?.[1] === mark && !isBelow(pid, process.pid))
  return async () => {
    const until = performance.now() + PATIENCE_MS
    while (left().length > 0 && performance.now() < until) await sleep(LOOK_MS)
    return left().map((pid) => `${pid}: ${contents(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`)
  }
}
