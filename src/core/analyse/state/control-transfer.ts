import type { Control, Exit } from './control.js'

/** Returns the exit level of a jump: odd to end an iteration of that many loops, even to leave the loops. */
export function exitLevelOf(exit: Exit, concurrency: number): number {
  if (exit.how === 'continue') return 2 * exit.levels - 1
  if (exit.how === 'break') return 2 * exit.levels
  // After the shell exits nothing runs, unless another shell waits for it.
  return exit.how === 'return' || concurrency > 0 ? Number.POSITIVE_INFINITY : 0
}

/** Joins the exits of several branches. Null stands for a branch that did not exit. */
export function joinExits(control: Control, exits: readonly (Exit | null)[], concurrency: number): void {
  let highest = 0
  let lowest: Exit | null = null
  for (const exit of exits) {
    if (exit === null) continue
    highest = Math.max(highest, exitLevelOf(exit, concurrency))
    if (lowest === null || lowest.how === 'exit' || exitLevelOf(exit, concurrency) < exitLevelOf(lowest, concurrency))
      lowest = exit
  }
  const isEverywhere = !exits.includes(null)
  control.exit = isEverywhere ? lowest : null
  if (lowest === null) return
  control.mayExit ||= !isEverywhere
  if (!isEverywhere || exitLevelOf(lowest, concurrency) < highest)
    control.mayExitLevels = Math.max(control.mayExitLevels, highest)
}
