/**
 * Work that one analysis may take, in units of about 100 ns: enough for anything a person would write, and a quarter of a second at
 * worst. What is past it is not read at all, and refused: to ask instead would let whoever adds enough turn a refusal into a question.
 */
const WORK = 700_000

/** Thrown when a script is too much to read. Only `analyse` catches it. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** Counts the work of one analysis. Everything that can grow counts here: words, turns, joins, characters copied, comparisons. */
export class Work {
  #done = 0
  readonly #bound: number

  constructor(bound = WORK) {
    this.#bound = bound
  }

  get done(): number {
    return this.#done
  }

  /** Is so much done that loops are better no longer followed turn by turn? */
  get isMuch(): boolean {
    return this.#done > this.#bound / 3
  }

  add(units: number): void {
    this.#done += units
    if (this.#done > this.#bound) throw new TooMuch('it needs more work than the analyser does')
  }

  /** Text that is copied or searched once. */
  text(chars: number): void {
    this.add(1 + (chars >> 5))
  }

  /** Text that is gone through character by character. */
  chars(count: number): void {
    this.add(1 + (count >> 2))
  }
}
