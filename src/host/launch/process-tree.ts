import { readdirSync } from 'node:fs'
import { kernelFile } from './kernel-file.js'

/** A process that cannot be confused with a later one of the same number. */
export interface ProcessId {
  readonly pid: number
  /** Clock ticks since boot at which it started. */
  readonly started: string
}

function statFields(pid: number): readonly string[] | null {
  try {
    const text = kernelFile(`/proc/${pid}/stat`)
    // The name in parentheses may hold anything, spaces and parentheses included.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

export function identify(pid: number): ProcessId | null {
  const started = statFields(pid)?.[19]
  return started === undefined ? null : { pid, started }
}

/** The process group it belongs to. */
export function groupOf(pid: number): number | null {
  const group = Number(statFields(pid)?.[2])
  return group > 1 ? group : null
}

const hasEnded = (fields: readonly string[]): boolean => fields[0] === 'Z' || fields[0] === 'X'

/** Gone, or merely waiting to be reaped. */
export function isDead(pid: number): boolean {
  const fields = statFields(pid)
  return fields === null || hasEnded(fields)
}

/** Still there and not merely waiting to be reaped. */
export function isAlive({ pid, started }: ProcessId): boolean {
  const fields = statFields(pid)
  return fields !== null && fields[19] === started && !hasEnded(fields)
}

/** Sends a signal if it is still that process. Says whether it was there. */
export function signalProcess(process_: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(process_)) return false
  return sendSignal(process_.pid, signal)
}

/** Negative numbers are process groups, as for kill(2). Says whether anything was there to be signalled. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In the order they were started. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      kernelFile(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Every process below this one, itself not included, parents first. Gives up once there are more than `atMost`. */
export function descendantsOf(pid: number, atMost = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = []
  const ahead = childrenOf(pid)
  for (let next = ahead.shift(); next !== undefined && found.length <= atMost; next = ahead.shift()) {
    found.push(next)
    ahead.push(...childrenOf(next))
  }
  return found
}
