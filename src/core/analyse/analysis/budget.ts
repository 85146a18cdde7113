import { LIMITS } from '../../model/basics/limits.js'
import { CostMeter, OverBudget } from '../text/cost-meter.js'

/** The maximum number of commands in one analysis, with loops and calls unrolled. */
const MAX_STEPS = 10_000
/** The maximum number of compound commands, scripts, functions and substitutions in one analysis. */
const MAX_ENTERED = 20_000
/** The maximum number of loop iterations with known values. Later loop bodies run once, with unknown values. */
const MAX_ITERATIONS = 4_000
/** Commands after which loops are no longer unrolled, so that a long honest script stays below STEPS. */
const MAX_LOOP_STEPS = MAX_STEPS / 2
/** The maximum length of all text that is parsed again: `eval`, scripts, pipes into shells. */
const MAX_PARSED_CHARS = 2 * LIMITS.scriptBytes
/** The maximum nesting of scripts, functions, compound commands and substitutions. */
const MAX_DEPTH = 4 * LIMITS.nestingDepth

/** Limits of one analysis: nesting depth, loop iterations and total work. */
export class Budget extends CostMeter {
  #steps = 0
  #entered = 0
  #iterations = 0
  #parsed = 0
  #depth = 0

  get steps(): number {
    return this.#steps
  }

  /** Tells whether the analysis is at the top level. */
  get isOutermost(): boolean {
    return this.#depth === 0
  }

  step(): void {
    if (++this.#steps > MAX_STEPS) throw new OverBudget('it runs more commands than the analyser follows')
    this.add(60)
  }

  /** Counts text that is parsed again. */
  spend(chars: number): void {
    this.#parsed += chars
    if (this.#parsed > MAX_PARSED_CHARS) throw new OverBudget('it evaluates more text than the analyser follows')
    this.add(20 + chars)
  }

  /** Counts one loop iteration. Returns false when no more iterations are followed. */
  iterate(): boolean {
    this.add(5)
    return ++this.#iterations <= MAX_ITERATIONS && this.#steps <= MAX_LOOP_STEPS && !this.isNearLimit
  }

  /** Goes one level deeper. The caller must call `exit`. */
  enter(): void {
    this.add(10)
    if (++this.#entered > MAX_ENTERED)
      throw new OverBudget('it has more compound commands and calls than the analyser follows')
    if (++this.#depth > MAX_DEPTH) throw new OverBudget('it is nested deeper than the analyser follows')
  }

  exit(): void {
    this.#depth--
  }
}
