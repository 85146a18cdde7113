import type { Node } from '../../shell/tree.js'
import type { Value } from '../values/value.js'
import type { ShellHistory } from './shell-history.js'

const NO_NAMES: ReadonlySet<string> = new Set()

/** The functions and aliases of a shell. A fork sees its parent's, and keeps its own additions. */
export class Definitions {
  readonly #parent: Definitions | null
  readonly #history: ShellHistory
  /** Null stands for an unset function. */
  #functions: Map<string, Node | null> | null = null
  #exported: Set<string> | null = null
  #aliases: Map<string, Value> | null = null

  constructor(parent: Definitions | null, history: ShellHistory) {
    this.#parent = parent
    this.#history = history
  }

  functionNamed(name: string): Node | undefined {
    for (let one: Definitions | null = this; one; one = one.#parent) {
      const found = one.#functions?.get(name)
      if (found !== undefined) return found ?? undefined
    }
    return undefined
  }

  setFunction(name: string, body: Node | null): void {
    this.#functions ??= new Map()
    this.#functions.set(name, body)
  }

  /** Marks a function as exported (`export -f`). */
  exportFunction(name: string): void {
    this.#exported ??= new Set()
    this.#exported.add(name)
  }

  exportedFunctions(): ReadonlySet<string> {
    const names = new Set<string>()
    for (let one: Definitions | null = this; one; one = one.#parent)
      for (const name of one.#exported ?? NO_NAMES) names.add(name)
    return names
  }

  alias(name: string): Value | undefined {
    for (let one: Definitions | null = this; one; one = one.#parent) {
      const found = one.#aliases?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  setAlias(name: string, value: Value): void {
    this.#history.hasAliases = true
    this.#aliases ??= new Map()
    this.#aliases.set(name, value)
  }

  /** The functions defined here and not in the parent. */
  get newFunctions(): readonly string[] {
    return this.#functions ? [...this.#functions.keys()] : []
  }

  get newAliases(): readonly string[] {
    return this.#aliases ? [...this.#aliases.keys()] : []
  }

  get isUnchanged(): boolean {
    return !(this.#functions || this.#aliases || this.#exported)
  }

  /** Takes over the changes of a fork. */
  adopt(fork: Definitions): void {
    if (fork.#functions) for (const [name, body] of fork.#functions) this.setFunction(name, body)
    if (fork.#exported) for (const name of fork.#exported) this.exportFunction(name)
    if (fork.#aliases) for (const [name, value] of fork.#aliases) this.setAlias(name, value)
  }
}
