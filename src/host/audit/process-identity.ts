import { readFileSync, readlinkSync } from 'node:fs'

/** Identity of a process: pid and start time, because pids are reused. */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since the start of the system. */
  readonly started: number | null
  readonly boot: string | null
  /** Numbers of processes mean something only inside their namespace. */
  readonly namespace: string | null
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid), boot: bootId(), namespace: namespaceId() }
}

/** False only when it is certain that the process is gone. */
export function mayBeAlive(identity: ProcessIdentity, here: ProcessIdentity): boolean {
  if (identity.boot !== here.boot) return false
  if (identity.namespace !== here.namespace) return true
  if (identity.started === null) return signalReaches(identity.pid)
  return startOf(identity.pid) === identity.started
}

function startOf(pid: number): number | null {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The program name is in parentheses and may contain any character. The state follows the last parenthesis.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const started = Number(fields[18])
  return state === 'Z' || state === 'X' || !Number.isSafeInteger(started) ? null : started
}

const bootId = (): string | null => textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? null

function namespaceId(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Fallback without /proc. */
function signalReaches(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
