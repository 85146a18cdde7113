/** Numbers `<( … )` and `>( … )` as bash does. Runs the commands of `>( … )` after the command that writes to it. */
export class ProcessSubstitutions {
  #open = 0
  #unnumberedDepth = 0
  readonly #pending: (() => void)[] = []

  /** False if bash can have others open that it did not close. */
  get isNumbered(): boolean {
    return this.#unnumberedDepth === 0
  }

  /** Returns the path of the next one. bash counts down from the top, and starts again for each command. */
  open(): string {
    return `/dev/fd/${63 - (this.#open++ % 32)}`
  }

  /** Runs a command with `open` of them open, then closes those that the command opened. */
  during(run: () => void, open = this.#open): void {
    const outer = this.#open
    this.#open = open
    run()
    this.#open = outer
  }

  /** Makes the numbers of all later ones unknown. */
  loseNumbers(): void {
    this.#unnumberedDepth++
  }

  withoutNumbers(run: () => void): void {
    this.#unnumberedDepth++
    run()
    this.#unnumberedDepth--
  }

  /** Adds the commands of a `>( … )`, which run when the text written to it is known. */
  addPending(run: () => void): void {
    this.#pending.push(run)
  }

  /** Runs a function, then the commands that it added. */
  flushAfter(run: () => void): void {
    const waiting = this.#pending.length
    run()
    if (this.#pending.length > waiting) for (const one of this.#pending.splice(waiting)) one()
  }
}
