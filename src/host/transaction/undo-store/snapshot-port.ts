import type { Plan } from '../../../core/model/policy/plan.js'
import type { Evidence } from '../../../core/model/run/evidence.js'
import type { RawPath } from '../paths/raw-path.js'
import type { Step } from './step.js'

export interface Changed {
  readonly steps: readonly Step[]
  /** Absolute. */
  readonly conflicts: readonly RawPath[]
  /** Changed, and being written to by others: no steps are for these. Absolute. */
  readonly theirs?: readonly RawPath[]
}

/**
 * Contract of a snapshot adapter: the files a command can change are safe, and its changes can be listed afterwards.
 */
export interface ActiveSnapshot {
  /** The plan to run instead of the one given. */
  readonly plan: Plan
  /** True if the command wrote to the tree itself: keeping is a no-op, and rolling back reverses the steps. */
  readonly inTree: boolean
  /** To be asked once, after the command ended. The new versions are ready to be applied. */
  changes(): Promise<Changed>
  release(): void
  /** The changes that were refused; complete once the changes were asked for. */
  readonly notices?: readonly Evidence[]
}
