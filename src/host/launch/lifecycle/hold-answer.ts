/** Says of a process whether it is held at its exit. */
export interface HoldAnswer {
  readonly pid: number
  readonly isHeld: boolean
}

/** Parses a line of the helper that holds processes at their exit; null for anything else. Never throws. */
export function parseHoldAnswer(line: string): HoldAnswer | null {
  const [, what, pid] = /^(held|failed) (\d{1,10})$/.exec(line) ?? []
  return pid === undefined ? null : { pid: Number(pid), isHeld: what === 'held' }
}
