import { type UnknownValue, unknown } from '../values/value.js'
import type { ShellHistory } from './shell-history.js'
import { UNSET, type Variable } from './variable.js'

const SET_BY_TRAP: UnknownValue = unknown('output', 'a variable that a trap may set')

const setByTrap = (variable: Variable): Variable => ({
  ...variable,
  value: SET_BY_TRAP,
  items: variable.items ? new Map([['0', { ...SET_BY_TRAP, isUncounted: true }]]) : null,
  choices: null,
  isSet: true,
  mayBeUnset: true,
})

const NOTHING: ReadonlyMap<string, Variable> = new Map()
const NO_LOCALS: readonly Map<string, Variable>[] = []

/** The variables of a shell. A fork reads from its parent and keeps its own changes. */
export class Variables {
  readonly #parent: Variables | null
  readonly #history: ShellHistory
  /** The number of forks above. A lookup can go that far up. */
  readonly level: number
  #variables: Map<string, Variable> | null = null
  #locals: Map<string, Variable> | null = null
  /** Locals declared in conditional code. */
  #maybeLocals: Set<string> | null = null
  /** The number of unknown conditions at the start of the function. */
  #conditionalDepth = 0
  #outerLocals: readonly Map<string, Variable>[] = NO_LOCALS

  constructor(parent: Variables | null, history: ShellHistory) {
    this.#parent = parent
    this.#history = history
    this.level = parent === null ? 0 : parent.level + 1
  }

  get(name: string): Variable | undefined {
    for (let one: Variables | null = this; one; one = one.#parent) {
      const found = one.#variables?.get(name)
      if (found) return this.#history.volatile?.has(name) ? setByTrap(found) : found
    }
    return this.#history.volatile?.has(name) ? setByTrap(UNSET) : undefined
  }

  set(name: string, variable: Variable): void {
    this.#variables ??= new Map()
    this.#variables.set(name, variable)
    this.#history.note(name, variable)
  }

  /** Starts a function: `endLocals` restores the variables declared local from now on. */
  beginLocals(conditionalDepth = 0): Map<string, Variable> | null {
    const outer = this.#locals
    this.#conditionalDepth = conditionalDepth
    if (outer !== null) this.#outerLocals = [...this.#outerLocals, outer]
    this.#locals = new Map()
    return outer
  }

  endLocals(outer: Map<string, Variable> | null): void {
    for (const [name, variable] of this.#locals ?? []) this.set(name, this.#afterLocal(name, variable))
    this.#maybeLocals = null
    this.#locals = outer
    if (outer !== null) this.#outerLocals = this.#outerLocals.slice(0, -1)
  }

  /** Returns a variable after a function that declared, or may have declared, a local of that name. */
  #afterLocal(name: string, outside: Variable): Variable {
    const inside = this.#maybeLocals?.has(name) ? this.get(name) : undefined
    if (!inside?.isSet || inside.items || outside.items) return outside
    const choices = [...(outside.choices ?? [outside.value]), ...(inside.choices ?? [inside.value])]
    return { ...inside, choices, ...(outside.isSet ? {} : { mayBeUnset: true }) }
  }

  /** Returns a global variable for `declare -g`, or undefined if no function has a local of that name. */
  outside(name: string): Variable | undefined {
    return this.#outermost(name)?.get(name)
  }

  setOutside(name: string, variable: Variable): void {
    const outermost = this.#outermost(name)
    const before = outermost?.get(name)
    // In a conditional branch the earlier value is possible too.
    const choices = before?.isSet && this.#parent !== null ? [before.value, variable.value] : variable.choices
    outermost?.set(name, { ...variable, choices })
  }

  #outermost(name: string): Map<string, Variable> | null {
    let outermost: Map<string, Variable> | null = null
    for (let one: Variables | null = this; one; one = one.#parent)
      for (const locals of [one.#locals, ...one.#outerLocals.toReversed()]) if (locals?.has(name)) outermost = locals
    return outermost
  }

  /** Saves a variable before a function makes it local. */
  makeLocal(name: string, outside: Variable, conditionalDepth = 0): boolean {
    for (let one: Variables | null = this; one; one = one.#parent) {
      if (!one.#locals) continue
      if (one.#locals.has(name)) return false
      one.#locals.set(name, this.get(name) ?? outside)
      if (conditionalDepth > one.#conditionalDepth) {
        one.#maybeLocals ??= new Set()
        one.#maybeLocals.add(name)
      }
      return true
    }
    return false
  }

  /** Unsets a local of a calling function, which reveals the variable outside it. */
  unsetOuter(name: string): boolean {
    for (let one: Variables | null = this; one; one = one.#parent) {
      if (!one.#locals) continue
      if (one.#locals.has(name)) return false
      const owner = one.#outerLocals.findLast((locals) => locals.has(name))
      const outside = owner?.get(name)
      if (outside) this.set(name, outside)
      return outside !== undefined
    }
    return false
  }

  names(): readonly string[] {
    const names = new Set<string>()
    for (let one: Variables | null = this; one; one = one.#parent)
      for (const name of one.#variables?.keys() ?? []) names.add(name)
    return [...names]
  }

  get isUnchanged(): boolean {
    return this.#variables === null
  }

  /** Returns the variables that differ from the parent. */
  get changed(): ReadonlyMap<string, Variable> {
    return this.#variables ?? NOTHING
  }

  /** Takes over the changes of a fork. */
  adopt(fork: Variables): void {
    for (const [name, variable] of fork.changed) this.set(name, variable)
  }
}
