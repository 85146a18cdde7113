import { readdirSync } from 'node:fs'
import { kernelFile } from './read-kernel-file.js'

/** Identity of a process that no later process with the same pid shares. */
export interface ProcessId {
  readonly pid: number
  /** Start time in clock ticks since boot. */
  readonly started: string
}

function statFields(pid: number): readonly string[] | null {
  try {
    const text = kernelFile(`/proc/${pid}/stat`)
    // The name in parentheses may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

export function identify(pid: number): ProcessId | null {
  const started = statFields(pid)?.[19]
  return started === undefined ? null : { pid, started }
}

export function groupOf(pid: number): number | null {
  const group = Number(statFields(pid)?.[2])
  return group > 1 ? group : null
}

const hasEnded = (fields: readonly string[]): boolean => fields[0] === 'Z' || fields[0] === 'X'

/** Returns true for a process that is gone or a zombie. */
export function isDead(pid: number): boolean {
  const fields = statFields(pid)
  return fields === null || hasEnded(fields)
}

/** Returns true for a process that is neither gone nor a zombie. */
export function isAlive({ pid, started }: ProcessId): boolean {
  const fields = statFields(pid)
  return fields !== null && fields[19] === started && !hasEnded(fields)
}

/** Signals a process if its identity still matches. Returns false if it is gone. */
export function signalProcess(process_: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(process_)) return false
  return sendSignal(process_.pid, signal)
}

/** Signals a process, or a group by a negative number as in kill(2). Returns false if there was none. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the children in start order. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      kernelFile(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Returns all descendants without the process itself, parents first. Stops after more than `atMost`. */
export function descendantsOf(pid: number, atMost = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = []
  const ahead = childrenOf(pid)
  for (let next = ahead.shift(); next !== undefined && found.length <= atMost; next = ahead.shift()) {
    found.push(next)
    ahead.push(...childrenOf(next))
  }
  return found
}
