import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from './process-tree.js'

/** More new processes than this, and listing /proc is cheaper than probing each number. */
const PROBE_AT_MOST = 256
/** A process can fork between being listed and being killed; each round leaves fewer. */
const MAX_ROUNDS = 200

/** The number given to the newest process of the host, read without listing them. */
function newestPid(): number {
  return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ')[4])
}

function candidates(since: number): readonly number[] {
  const newest = newestPid()
  if (newest >= since && newest - since <= PROBE_AT_MOST) {
    return Array.from({ length: newest - since }, (_, index) => since + 1 + index)
  }
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

function environmentOf(pid: number): Buffer | null {
  try {
    const file = openSync(`/proc/${pid}/environ`, 'r')
    try {
      const chunks: Buffer[] = []
      for (;;) {
        const chunk = Buffer.alloc(16_384)
        const length = readSync(file, chunk, 0, chunk.length, null)
        if (length === 0) return Buffer.concat(chunks)
        chunks.push(chunk.subarray(0, length))
      }
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** A mark in the environment, by which a command's processes are found wherever they went: setsid, double forks, daemons. */
export interface Mark {
  readonly name: string
  readonly value: string
}

/** Living processes started after `since` that carry the mark. Those that wiped their environment are not found. */
export function markedProcesses({ name, value }: Mark, since: number): readonly number[] {
  const wanted = `${name}=${value}`
  return candidates(since).filter((pid) => {
    const environment = environmentOf(pid)
    if (environment === null) return false
    return environment.toString('latin1').split('\0').includes(wanted)
  })
}

/** Kills until none is left. */
export async function sweep(mark: Mark, since: number): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = markedProcesses(mark, since)
    if (found.length === 0) return
    for (const pid of found) sendSignal(pid, 'SIGKILL')
    await sleep(Math.min(round, 10))
  }
}
