import type { Plan } from '../../core/model/plan.js'
import type { RawPath } from './raw-path.js'
import type { Step } from './step.js'

export interface Changed {
  readonly steps: readonly Step[]
  /** Absolute. */
  readonly conflicts: readonly RawPath[]
  /** Changed, and being written to by others: no steps are for these. Absolute. */
  readonly theirs?: readonly RawPath[]
}

/** What an adapter promises: the state a command can touch is safe, and what it changed can be told afterwards. */
export interface Secured {
  /** The plan to run instead of the one given. */
  readonly plan: Plan
  /** True where the command wrote to the tree itself: keeping is doing nothing, and taking back is reversing the steps. */
  readonly inTree: boolean
  /** To be asked once, after the command ended. The new versions are ready to be applied. */
  changes(): Promise<Changed>
  release(): void
  /** One line of evidence for each change that was refused; complete once the changes were asked for. */
  readonly notices?: readonly string[]
}
