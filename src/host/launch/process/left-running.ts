import { descendantsOf, isDead } from './process-tree.js'
import { kernelFileIfAny } from './read-kernel-file.js'

/** Process that still ran after the command's own process had ended. */
export interface LeftProcess {
  /** Pid inside the sandbox. */
  readonly pid: number
  readonly command: string
}

/** Processes that a command left running: the first few, and the number of further ones. */
export interface LeftRunning {
  readonly processes: readonly LeftProcess[]
  readonly more: number
}

/** Limits of the processes named and counted. */
const NAMED = 5
const COUNTED = 1_000
const COMMAND_CHARS = 120

/** Returns the pids on the host of the processes below a sandbox's init that have not ended. */
export const runningBelow = (init: number): readonly number[] =>
  descendantsOf(init, COUNTED).filter((pid) => !isDead(pid))

/** Describes the first few of these processes of a sandbox. */
export function describeLeft(pids: readonly number[]): LeftRunning {
  const named = pids.flatMap((pid) => describe(pid) ?? []).slice(0, NAMED)
  return { processes: named, more: pids.length - named.length }
}

function describe(pid: number): LeftProcess | null {
  const status = kernelFileIfAny(`/proc/${pid}/status`)
  const inside = /^NSpid:.*?(\d+)\s*$/m.exec(status ?? '')?.[1]
  const words = Buffer.from(kernelFileIfAny(`/proc/${pid}/cmdline`) ?? '', 'latin1')
  const text = words
    .toString('utf8')
    .replace(/\0+$/, '')
    .replaceAll('\0', ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const name = /^Name:\s*(.*)$/m.exec(status ?? '')?.[1] ?? ''
  if (inside === undefined) return null
  const command = text === '' ? name : text
  return {
    pid: Number(inside),
    command: command.length > COMMAND_CHARS ? `${command.slice(0, COMMAND_CHARS - 1)}…` : command,
  }
}
