import type { Leave, State } from './state.js'

/** How far control goes that leaves early: odd numbers to the end of a turn of so many loops, even ones out of them. */
export function reachOf(leave: Leave, { concurrency }: State): number {
  if (leave.how === 'continue') return 2 * leave.levels - 1
  if (leave.how === 'break') return 2 * leave.levels
  // Where the shell itself is left nothing comes after, unless another waits for it.
  return leave.how === 'return' || concurrency > 0 ? Number.POSITIVE_INFINITY : 0
}

/** Control leaves in some of the branches, or in all of them, not everywhere by the same way. */
export function joinLeaving(state: State, forks: readonly State[], leaving: number): void {
  let farthest = 0
  let nearest: Leave | null = null
  for (const fork of forks) {
    if (fork.leave === null) continue
    farthest = Math.max(farthest, reachOf(fork.leave, state))
    if (nearest === null || nearest.how === 'exit' || reachOf(fork.leave, state) < reachOf(nearest, state))
      nearest = fork.leave
  }
  const isEverywhere = leaving === forks.length
  state.leave = isEverywhere ? nearest : null
  state.mayLeave ||= !isEverywhere
  if (!isEverywhere || (nearest && reachOf(nearest, state) < farthest))
    state.mayJump = Math.max(state.mayJump, farthest)
}
