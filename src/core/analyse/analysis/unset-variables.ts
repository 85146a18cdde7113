import type { Findings } from './findings.js'

/** Finds commands that depend on a variable that only the environment can set. */
export class UnsetVariables {
  #inCommand: string | null = null
  /** The last variable of this kind in the current statement. */
  inStatement: string | null = null
  /** Variables assigned from such a variable. */
  #tainted: Set<string> | null = null
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Runs a function and returns the last such variable that it expanded. */
  during(run: () => void): string | null {
    this.#inCommand = null
    run()
    return this.#inCommand
  }

  /** Records the expansion of such a variable. */
  note(name: string): void {
    this.#inCommand = name
    this.inStatement = name
  }

  /** Records the expansion of a variable that is set. */
  noteSet(name: string): void {
    if (this.#tainted?.has(name)) this.inStatement = name
  }

  /** Reports text of the current statement that a shell evaluates, if it contains such a variable. */
  reportEvaluation(): void {
    if (this.inStatement !== null)
      this.#findings.reportUnknown(`the shell evaluates $${this.inStatement}, which the script does not set`, null)
  }

  /** Records that the current statement assigns a variable. */
  noteAssigned(name: string): void {
    if (this.inStatement === null) this.#tainted?.delete(name)
    else {
      this.#tainted ??= new Set()
      this.#tainted.add(name)
    }
  }
}
