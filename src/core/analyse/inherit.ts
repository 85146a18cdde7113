import type { Reading } from './reading.js'
import { State, UNSET } from './state.js'

/** The state of a new process: exported variables and functions only. What was unset stays so, whatever the environment held. */
export function inherited(reading: Reading, state: State): State {
  const inner = new State(null, { cwd: state.cwd, zero: 'bash', positional: [], descriptors: state.descriptors })
  const names = state.names()
  reading.work.add(10 + 6 * names.length)
  for (const name of names) {
    const variable = state.get(name)
    // Arrays stay with the shell that has them.
    if (variable?.items) inner.set(name, UNSET)
    else if (variable?.exported && variable.attributes.includes('!')) {
      reading.hasChoices = true
      const choices = [...(variable.choices ?? [variable.value]), '']
      inner.set(name, { ...variable, attributes: '', choices, mayBeUnset: true })
    } else if (variable?.exported) inner.set(name, { ...variable, attributes: '' })
    else if (variable && !variable.isSet) inner.set(name, UNSET)
  }
  for (const name of state.exportedFunctions()) {
    const body = state.functionNamed(name)
    if (!body) continue
    inner.setFunction(name, body)
    inner.exportFunction(name)
  }
  inner.via = state.via
  inner.previous = state.previous
  inner.places = state.places
  inner.stays = state.stays
  inner.place = state.place
  inner.concurrency = state.concurrency
  return inner
}
