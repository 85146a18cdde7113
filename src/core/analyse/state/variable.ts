import type { Value } from '../values/value.js'

/** A variable. `items` is set for arrays; element 0 is also the scalar value. */
export interface Variable {
  readonly value: Value
  readonly items: ReadonlyMap<string, Value> | null
  /** The possible values if a condition decides between them. */
  readonly choices: readonly Value[] | null
  readonly exported: boolean
  /** Letters of `declare`: `i l u n A a r`; `?` for uncertain value changes, `!` for an uncertain export. */
  readonly attributes: string
  readonly isSet: boolean
  /** Set for a variable that may be unset. Only `${x-y}` and its like can tell. */
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

/** Returns a variable of the environment, or one that would be in it if exported. */
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
