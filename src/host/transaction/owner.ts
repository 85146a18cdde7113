import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** A process, told apart from a later one that was given the same number. */
export const Owner = z.strictObject({ pid: z.int(), started: z.string() })
export type Owner = z.infer<typeof Owner>

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
export const processNow = (pid: number): Owner => ({ pid, started: startedAt(pid) })

const itself = new Map<number, Owner>()

export function thisProcess(): Owner {
  const known = itself.get(process.pid) ?? processNow(process.pid)
  itself.set(process.pid, known)
  return known
}

export const isAlive = ({ pid, started }: Owner): boolean => started !== '' && startedAt(pid) === started

/** On one line. */
export const textOf = ({ pid, started }: Owner): string => `${pid} ${started}`

export function ownerIn(text: string): Owner | null {
  const [, pid, started = ''] = /^(\d+) (.*)$/.exec(text) ?? []
  return pid === undefined ? null : { pid: Number(pid), started }
}
