import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** A process, told apart from a later one that was given the same number. */
export const Owner = z.strictObject({ pid: z.int(), started: z.string() })
export type Owner = z.infer<typeof Owner>

/** Boot and clock ticks at which a process started; empty when there is none. */
function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${ticks}`
  } catch {
    return ''
  }
}

export const thisProcess = (): Owner => ({ pid: process.pid, started: startedAt(process.pid) })

export const isAlive = ({ pid, started }: Owner): boolean => started !== '' && startedAt(pid) === started
