import { State } from '../state/state.js'
import { UNSET } from '../state/variable.js'
import type { Analysis } from './analysis.js'

/** Returns the state of a new process: exported variables and functions only. An unset variable stays unset. */
export function childState(analysis: Analysis, state: State): State {
  const inner = new State(null, {
    directory: { ...state.directory, stack: [] },
    arguments: { positional: [], scriptName: 'bash' },
    descriptors: state.descriptors,
  })
  const names = state.variables.names()
  analysis.budget.add(10 + 6 * names.length)
  for (const name of names) {
    const variable = state.variables.get(name)
    // A process does not inherit arrays.
    if (variable?.items) inner.variables.set(name, UNSET)
    else if (variable?.exported && variable.attributes.includes('!')) {
      const choices = [...(variable.choices ?? [variable.value]), '']
      inner.variables.set(name, { ...variable, attributes: '', choices, mayBeUnset: true })
    } else if (variable?.exported) inner.variables.set(name, { ...variable, attributes: '' })
    else if (variable && !variable.isSet) inner.variables.set(name, UNSET)
  }
  for (const name of state.definitions.exportedFunctions()) {
    const body = state.definitions.functionNamed(name)
    if (!body) continue
    inner.definitions.setFunction(name, body)
    inner.definitions.exportFunction(name)
  }
  inner.via = state.via
  inner.concurrency = state.concurrency
  return inner
}
