import type { Node } from '../shell/tree.js'
import type { Descriptors } from './descriptors.js'
import type { Arg } from './programs/knowledge.js'
import { type Hole, unknown, type Value } from './value.js'

/** A variable. `items` is set for arrays, whose element 0 is the scalar value too. */
export interface Variable {
  readonly value: Value
  readonly items: ReadonlyMap<string, Value> | null
  /** The values it can have, when that depends on a condition. */
  readonly choices: readonly Value[] | null
  readonly exported: boolean
  /** Letters as `declare` takes them: `i l u n A a r`; `?` where values need not be changed as they say, `!` where it need not be exported. */
  readonly attributes: string
  readonly isSet: boolean
  /** Set where it is, but need not be: what `${x-y}` tells apart. */
  readonly mayBeUnset?: true
}

export const scalar = (value: Value, like?: Variable): Variable => ({
  value,
  items: null,
  choices: null,
  exported: like?.exported ?? false,
  attributes: like?.attributes ?? '',
  isSet: true,
})

/** One that comes with the environment, or would if it were exported. */
export const inheritedScalar = (value: Value, exported: boolean): Variable => ({
  value,
  items: null,
  choices: null,
  exported,
  attributes: '',
  isSet: true,
})

export const UNSET: Variable = { value: '', items: null, choices: null, exported: false, attributes: '', isSet: false }

export const elements = (variable: Variable): readonly Value[] =>
  variable.items ? [...variable.items.values()] : variable.isSet ? [variable.value] : []

/** All that variables were given since a trap was set, in a shell and those below it. */
class History {
  isKept = false
  readonly variables = new Map<string, Set<Variable>>()
  /** Those that a trap may set at any time. */
  volatile: Set<string> | null = null

  addVolatile(name: string): void {
    this.volatile ??= new Set()
    this.volatile.add(name)
  }

  note(name: string, variable: Variable): void {
    const known = this.variables.get(name)
    if (known) known.add(variable)
    else this.variables.set(name, new Set([variable]))
  }
}

const SET_BY_TRAP: Hole = unknown('output', 'what a trap may set')

const setByTrap = (variable: Variable): Variable => ({
  ...variable,
  value: SET_BY_TRAP,
  items: variable.items ? new Map([['0', { ...SET_BY_TRAP, isMany: true }]]) : null,
  choices: null,
  isSet: true,
  mayBeUnset: true,
})

/** How control leaves a list of commands early. */
export type Leave =
  | { readonly how: 'break' | 'continue'; readonly levels: number }
  | { readonly how: 'return' | 'exit' }

const NO_NAMES: ReadonlySet<string> = new Set()
const NO_DIRECTORIES: readonly (string | null)[] = []
const NO_STEPS: readonly string[] = []
const NO_LOCALS: readonly Map<string, Variable>[] = []

/** A directory that is not known, and need not be the same as another. */
export const SOMEWHERE = '/dev/cordon/somewhere'

/** The shell's memory at one point. Forks see what their parent knows, and keep what they change to themselves. */
export class State {
  readonly parent: State | null
  /** How many forks deep it is: what is looked up may be found that far up. */
  readonly level: number
  #variables: Map<string, Variable> | null = null
  #functions: Map<string, Node | null> | null = null
  #exported: Set<string> | null = null
  #locals: Map<string, Variable> | null = null
  /** Those of them that were declared where it is not known whether that ran, and how much was undecided at the start of the function. */
  #maybeLocals: Set<string> | null = null
  #undecided = 0
  #outerLocals: readonly Map<string, Variable>[] = NO_LOCALS
  #aliases: Map<string, Value> | null = null
  /** Null when a `cd` went somewhere that is not known. */
  cwd: string | null
  /** Directories it may be in where `cwd` is null: what is known of them. */
  places: readonly string[] = NO_STEPS
  /** What that directory goes by there: files the script writes are remembered under it. */
  place = SOMEWHERE
  /** Directories it may have stayed in where it is not known whether `cd` went well: what `$PWD` may be beside `cwd`. */
  stays: readonly string[] = NO_STEPS
  previous: string | null
  positional: readonly Value[]
  zero: Value
  descriptors: Descriptors
  /** Set by `exec` without a command: the redirections in force stay. */
  keptDescriptors: Descriptors | null = null
  options: ReadonlySet<string>
  directories: readonly (string | null)[]
  status: number | null = 0
  leave: Leave | null = null
  /** The last argument of the command before, `$_`; null where it is not known. */
  last: Arg | null = null
  /** Set when control may or may not have left. */
  mayLeave = false
  /** How far control may have gone then, other than out of the shell: what comes next in the list need not run. */
  mayJump = 0
  /** Loops, and functions or sourced files, being run. */
  loops: number
  frames: number
  /** What stands between the script and the commands run now: `['xargs', 'bash -c']`. */
  via: readonly string[]
  /** Nested subshells, pipelines and background commands since the start. */
  concurrency: number
  /** How many of these the shell waits for before it does anything else: `( … )` and `$( … )`. */
  waits: number
  readonly history: History

  constructor(parent: State | null, start: Pick<State, 'cwd' | 'zero' | 'descriptors' | 'positional'>) {
    this.parent = parent
    this.history = parent?.history ?? new History()
    this.level = parent === null ? 0 : parent.level + 1
    this.cwd = start.cwd
    this.zero = start.zero
    this.positional = start.positional
    this.descriptors = start.descriptors
    this.previous = parent?.previous ?? null
    if (parent) {
      this.places = parent.places
      this.place = parent.place
      this.stays = parent.stays
    }
    this.options = parent?.options ?? NO_NAMES
    this.directories = parent?.directories ?? NO_DIRECTORIES
    this.via = parent?.via ?? NO_STEPS
    this.loops = parent?.loops ?? 0
    this.frames = parent?.frames ?? 0
    this.concurrency = parent?.concurrency ?? 0
    this.waits = parent?.waits ?? 0
    this.status = parent === null ? 0 : parent.status
    this.last = parent?.last ?? null
  }

  /** A copy that can change without this one changing. */
  fork(): State {
    return new State(this, this)
  }

  get(name: string): Variable | undefined {
    for (let state: State | null = this; state; state = state.parent) {
      const found = state.#variables?.get(name)
      if (found) return this.history.volatile?.has(name) ? setByTrap(found) : found
    }
    return this.history.volatile?.has(name) ? setByTrap(UNSET) : undefined
  }

  set(name: string, variable: Variable): void {
    this.#variables ??= new Map()
    this.#variables.set(name, variable)
    if (this.history.isKept) this.history.note(name, variable)
  }

  /** Variables declared local from now on are put back by `endLocals`. */
  beginLocals(undecided = 0): Map<string, Variable> | null {
    const outer = this.#locals
    this.#undecided = undecided
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

  /** What a variable is after a function that had one of its own by that name, or perhaps not. */
  #afterLocal(name: string, outside: Variable): Variable {
    const inside = this.#maybeLocals?.has(name) ? this.get(name) : undefined
    if (!inside?.isSet || inside.items || outside.items) return outside
    const choices = [...(outside.choices ?? [outside.value]), ...(inside.choices ?? [inside.value])]
    return { ...inside, choices, ...(outside.isSet ? {} : { mayBeUnset: true }) }
  }

  /** A variable as it is outside all functions, for `declare -g`; undefined where no function has one of its own of that name. */
  outside(name: string): Variable | undefined {
    return this.#outermost(name)?.get(name)
  }

  setOutside(name: string, variable: Variable): void {
    const outermost = this.#outermost(name)
    const before = outermost?.get(name)
    // In a branch that may not run the value before is as good.
    const choices = before?.isSet && this.parent !== null ? [before.value, variable.value] : variable.choices
    outermost?.set(name, { ...variable, choices })
  }

  #outermost(name: string): Map<string, Variable> | null {
    let outermost: Map<string, Variable> | null = null
    for (let state: State | null = this; state; state = state.parent)
      for (const locals of [state.#locals, ...state.#outerLocals.toReversed()])
        if (locals?.has(name)) outermost = locals
    return outermost
  }

  /** Remembers a variable as it is outside the function. */
  makeLocal(name: string, outside: Variable, undecided = 0): boolean {
    for (let state: State | null = this; state; state = state.parent) {
      if (!state.#locals) continue
      if (state.#locals.has(name)) return false
      state.#locals.set(name, this.get(name) ?? outside)
      if (undecided > state.#undecided) {
        state.#maybeLocals ??= new Set()
        state.#maybeLocals.add(name)
      }
      return true
    }
    return false
  }

  /** `unset` of a variable that belongs to a function which called this one: the one outside it is seen again. */
  unsetOuter(name: string): boolean {
    for (let state: State | null = this; state; state = state.parent) {
      if (!state.#locals) continue
      if (state.#locals.has(name)) return false
      const owner = state.#outerLocals.findLast((locals) => locals.has(name))
      const outside = owner?.get(name)
      if (outside) this.set(name, outside)
      return outside !== undefined
    }
    return false
  }

  functionNamed(name: string): Node | undefined {
    for (let state: State | null = this; state; state = state.parent) {
      const found = state.#functions?.get(name)
      if (found !== undefined) return found ?? undefined
    }
    return undefined
  }

  setFunction(name: string, body: Node | null): void {
    this.#functions ??= new Map()
    this.#functions.set(name, body)
  }

  /** `export -f`. */
  exportFunction(name: string): void {
    this.#exported ??= new Set()
    this.#exported.add(name)
  }

  exportedFunctions(): ReadonlySet<string> {
    let names: Set<string> | null = null
    for (let state: State | null = this; state; state = state.parent) {
      if (state.#exported === null) continue
      names ??= new Set()
      for (const name of state.#exported) names.add(name)
    }
    return names ?? NO_NAMES
  }

  alias(name: string): Value | undefined {
    for (let state: State | null = this; state; state = state.parent) {
      const found = state.#aliases?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  setAlias(name: string, value: Value): void {
    this.#aliases ??= new Map()
    this.#aliases.set(name, value)
  }

  /** Aliases made here and not in the parent. */
  newAliases(): readonly string[] {
    return this.#aliases ? [...this.#aliases.keys()] : NO_STEPS
  }

  names(): readonly string[] {
    let names: Set<string> | null = null
    for (let state: State | null = this; state; state = state.parent) {
      if (state.#variables === null) continue
      names ??= new Set()
      for (const name of state.#variables.keys()) names.add(name)
    }
    return names ? [...names] : NO_STEPS
  }

  /** Functions defined here and not in the parent. */
  newFunctions(): readonly string[] {
    return this.#functions ? [...this.#functions.keys()] : []
  }

  get isUnchanged(): boolean {
    return !(this.#variables || this.#functions || this.#aliases || this.#exported)
  }

  /** Was nothing but variables changed here? */
  get changesVariablesAlone(): boolean {
    return !(this.#functions || this.#aliases || this.#exported)
  }

  /** What was changed here and not in the parent. */
  get changed(): ReadonlyMap<string, Variable> {
    return this.#variables ?? NOTHING
  }

  /** Takes over everything a fork changed. */
  adopt(fork: State): void {
    if (fork.#variables) for (const [name, variable] of fork.#variables) this.set(name, variable)
    if (fork.#functions) for (const [name, body] of fork.#functions) this.setFunction(name, body)
    if (fork.#exported) for (const name of fork.#exported) this.exportFunction(name)
    if (fork.#aliases) for (const [name, value] of fork.#aliases) this.setAlias(name, value)
    this.cwd = fork.cwd
    this.places = fork.places
    this.place = fork.place
    this.stays = fork.stays
    this.previous = fork.previous
    this.positional = fork.positional
    this.zero = fork.zero
    this.options = fork.options
    this.directories = fork.directories
    this.descriptors = fork.descriptors
    this.status = fork.status
    this.leave = fork.leave
    this.last = fork.last
    this.mayLeave ||= fork.mayLeave
    if (fork.mayJump > this.mayJump) this.mayJump = fork.mayJump
  }
}

const NOTHING: ReadonlyMap<string, Variable> = new Map()
