import type { Variable } from './variable.js'

/** State that a shell shares with all its forks. */
export class ShellHistory {
  /** True once a variable has several possible values, an alias is set, or a background job starts. */
  hasChoices = false
  hasAliases = false
  hasBackground = false
  /** Names exported since the assignments before the current command. */
  exports: Set<string> | null = null
  /** Set by a trap: all later values of variables are kept. */
  isKept = false
  readonly variables = new Map<string, Set<Variable>>()
  /** Variables that a trap can set at any time. */
  volatile: Set<string> | null = null

  addVolatile(name: string): void {
    this.volatile ??= new Set()
    this.volatile.add(name)
  }

  note(name: string, variable: Variable): void {
    if (variable.choices !== null) this.hasChoices = true
    if (!this.isKept) return
    const known = this.variables.get(name)
    if (known) known.add(variable)
    else this.variables.set(name, new Set([variable]))
  }
}
