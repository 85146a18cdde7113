/** The work limit, in units of about 100 ns. Past it a script is denied: asking would reward padding. */
const MAX_WORK = 700_000

/** Thrown when a script is over budget. Only `analyse` catches it. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget'
}

/** Counts everything that can grow: words, iterations, joins, copied characters, comparisons. */
export class CostMeter {
  #done = 0
  readonly #bound: number

  constructor(bound = MAX_WORK) {
    this.#bound = bound
  }

  get done(): number {
    return this.#done
  }

  /** Tells whether so much work is done that loops should no longer be unrolled. */
  get isNearLimit(): boolean {
    return this.#done > this.#bound / 3
  }

  add(units: number): void {
    this.#done += units
    if (this.#done > this.#bound) throw new OverBudget('it needs more work than the analyser does')
  }

  /** Counts text that is copied or searched once. */
  text(chars: number): void {
    this.add(1 + (chars >> 5))
  }

  /** Counts text that is processed character by character. */
  chars(count: number): void {
    this.add(1 + (count >> 2))
  }
}
