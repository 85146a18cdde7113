import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** Identity of a process: pid and start time, because pids are reused. */
export const ProcessIdentity = z.strictObject({ pid: z.int(), started: z.string() })
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

/** Boot and clock ticks at which a process started; empty when there is none, or nothing but its exit status. */
function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`
  } catch {
    return ''
  }
}

/** Which has this number now, if there is one. */
export const processNow = (pid: number): ProcessIdentity => ({ pid, started: startedAt(pid) })

const itself = new Map<number, ProcessIdentity>()

export function thisProcess(): ProcessIdentity {
  const known = itself.get(process.pid) ?? processNow(process.pid)
  itself.set(process.pid, known)
  return known
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => started !== '' && startedAt(pid) === started

/** On one line. */
export const textOf = ({ pid, started }: ProcessIdentity): string => `${pid} ${started}`

export function processIdentityIn(text: string): ProcessIdentity | null {
  const [, pid, started = ''] = /^(\d+) (.*)$/.exec(text) ?? []
  return pid === undefined ? null : { pid: Number(pid), started }
}
