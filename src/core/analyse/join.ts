import { elements, type State, UNSET, type Variable } from './state.js'
import { hole, type Value } from './value.js'

/** More possible values than this are not told apart. */
const CHOICES = 8

/** Makes `state` what it is after exactly one of the forks ran, when it is not known which. */
export function joinForks(state: State, forks: readonly State[]): void {
  const [first] = forks
  if (!first) return
  if (forks.length === 1) {
    state.adopt(first)
    return
  }
  if (forks.every((fork) => isLike(fork, first))) {
    state.adopt(first)
    return
  }
  const names = new Set(forks.flatMap((fork) => [...fork.changed.keys()]))
  const merged = [...names].map((name) => [name, mergeVariables(forks.map((fork) => fork.get(name) ?? UNSET))] as const)
  const staying = forks.filter((fork) => fork.leave === null)
  const leaving = forks.filter((fork) => fork.leave !== null)
  for (const fork of forks) {
    for (const name of fork.newFunctions()) {
      const body = fork.functionNamed(name)
      if (body) state.setFunction(name, body)
    }
  }
  const main = staying[0] ?? first
  const same = staying.every((fork) => fork.cwd === main.cwd)
  const samePositional = forks.every((fork) => fork.positional === main.positional)
  state.adopt(main)
  for (const [name, variable] of merged) state.set(name, variable)
  if (!same) state.cwd = null
  if (!samePositional) state.positional = null
  state.options = new Set(forks.flatMap((fork) => [...fork.options]))
  state.status = forks.every((fork) => fork.status === main.status) ? main.status : null
  state.leave = staying.length === 0 ? (first.leave ?? null) : null
  state.mayLeave ||= leaving.length > 0 && staying.length > 0
}

/** Did neither change anything that the other did not? */
const isLike = (a: State, b: State): boolean =>
  a.isUnchanged &&
  b.isUnchanged &&
  a.cwd === b.cwd &&
  a.previous === b.previous &&
  a.positional === b.positional &&
  a.options === b.options &&
  a.directories === b.directories &&
  a.status === b.status &&
  a.leave === b.leave &&
  a.mayLeave === b.mayLeave

/** One variable that can be any of several. */
export function mergeVariables(variables: readonly Variable[]): Variable {
  const first = variables[0] ?? UNSET
  if (variables.every((variable) => sameVariable(variable, first))) return first
  const exported = variables.some((variable) => variable.exported)
  const attributes = [...new Set(variables.flatMap((variable) => [...variable.attributes]))].join('')
  const base = { exported, attributes, isSet: variables.some((variable) => variable.isSet) }
  const unknown = hole('depends on a condition', 'condition')
  if (variables.some((variable) => variable.items)) {
    const items = new Map(
      variables.flatMap((variable) => [...(variable.items?.keys() ?? ['0'])]).map((key) => [key, unknown as Value]),
    )
    return { ...base, value: unknown, items, choices: null }
  }
  const values = new Set(variables.flatMap((variable) => variable.choices ?? [variable.value]))
  const choices = [...values]
  if (choices.length > CHOICES) return { ...base, value: unknown, items: null, choices: null }
  return { ...base, value: unknown, items: null, choices }
}

function sameVariable(a: Variable, b: Variable): boolean {
  if (a === b) return true
  if (a.isSet !== b.isSet || a.attributes !== b.attributes || a.exported !== b.exported) return false
  if (!a.items !== !b.items || a.choices || b.choices) return false
  const left = elements(a)
  const right = elements(b)
  return left.length === right.length && left.every((value, i) => value === right[i])
}
