/** Longest work between two turns of the event loop. */
const LONGEST_MS = 10

/** Interrupts work whose length a command decides, so that other commands and timeouts get their turn. */
export class Turns {
  #began = performance.now()

  /** Lets others go first if this turn was long. Await it between the items of a list. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < LONGEST_MS) return
    await new Promise(setImmediate)
    this.#began = performance.now()
  }
}
