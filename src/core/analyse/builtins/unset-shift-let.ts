import type { Analysis } from '../analysis/analysis.js'
import type { Builtin } from '../analysis/interpreter.js'
import { evaluateValue } from '../expand/arithmetic.js'
import { assign, assignArray, numberedKey, targetName } from '../expand/assign.js'
import { addVariable, runOwnVariable } from '../expand/environment-facts.js'
import { expandText } from '../expand/reexpansion.js'
import { lookUp } from '../expand/variables.js'
import { asWritten } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { dropPositional } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { UNSET, type Variable } from '../state/variable.js'
import { isUncounted } from '../values/uncounted-elements.js'
import { argValue, type Value } from '../values/value.js'
import { declareElement, reportUnknownName } from './declare.js'
import { optionLetters } from './set-shopt-getopts.js'

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

export const unset: Builtin = (analysis, state, args) => {
  const { on, operands } = optionLetters(args)
  state.control.status = 0
  for (const arg of operands) {
    if (arg.text === null) {
      analysis.findings.reportUnknown('unset removes a variable with an unknown name', arg.span)
      reportUnknownName(analysis, state, arg)
      continue
    }
    // unset removes the target of a name reference, even an array element.
    const named = on.includes('n') || on.includes('f') ? arg.text : referenceTarget(state, arg.text)
    if (state.variables.get(arg.text.replace(/\[.*$/s, ''))?.attributes.includes('r')) state.control.status = 1
    const element = /^(\w+)\[(.*)\]$/s.exec(named)
    if (element) {
      const text = expandText(analysis, state, element[2] ?? '')
      const before = lookUp(analysis, state, element[1] ?? '')
      const key = before.attributes.includes('A') ? text : keyOf(analysis, state, before, text)
      const isAll = key === '@' || key === '*'
      if (isAll || (key === '0' && !before.items))
        state.variables.set(targetName(state, element[1] ?? ''), before.items ? { ...UNSET, items: NO_ITEMS } : UNSET)
      else if (typeof key === 'string' && before.items)
        assignArray(state, element[1] ?? '', new Map([...before.items].filter(([k]) => k !== key)))
    } else if (on.includes('f') || (!state.variables.get(arg.text)?.isSet && state.definitions.functionNamed(arg.text)))
      state.definitions.setFunction(arg.text, null)
    else {
      const name = on.includes('n') ? arg.text : targetName(state, arg.text)
      if (!(state.variables.get(name)?.attributes.includes('r') || state.variables.unsetOuter(name)))
        state.variables.set(name, UNSET)
    }
  }
}

/** Returns the target of a name reference. The subscript of a referenced element is ignored. */
function referenceTarget(state: State, name: string): string {
  const target = targetName(state, name.replace(/\[.*$/s, ''))
  return target.includes('[') || !name.includes('[') ? target : name
}

/** Returns the key of a subscript. A negative number counts from the end. */
function keyOf(analysis: Analysis, state: State, variable: Variable, text: Value): Value {
  if (text === '@' || text === '*') return text
  const number = evaluateValue(analysis, state, text)
  return number === null ? text : (numberedKey(variable, String(number)) ?? '')
}

export const shift: Builtin = (_analysis, state, args) => {
  const count = args[1] ? Number(args[1].text ?? Number.NaN) : 1
  state.control.status = 0
  if (count > state.arguments.positional.length && !state.arguments.positional.some(isUncounted))
    state.control.status = 1
  else dropPositional(state, Number.isNaN(count) ? null : count)
}

/** `let` evaluates each argument as arithmetic. */
export const letWords: Builtin = (analysis, state, args) => {
  let value: number | null = 0
  for (const arg of args.slice(1)) value = evaluateValue(analysis, state, argValue(asWritten(arg)))
  state.control.status = value === null ? null : value === 0 ? 1 : 0
}

/** Assigns to a name that a builtin received, with its subscript. */
export function assignNamed(analysis: Analysis, state: State, name: Arg | undefined, value: Value): void {
  if (!name) return
  if (name.text === null) {
    analysis.findings.reportUnknown('a command sets a variable with an unknown name', name.span)
    reportUnknownName(analysis, state, name)
    return
  }
  const element = /^(\w+)\[(.*)\]$/s.exec(name.text)
  if (!element) {
    assign(analysis, state, name.text, value)
    if (state.variables.get(name.text)?.exported) addVariable(analysis, state, name.text, name.span)
    runOwnVariable(analysis, state, name.text, name.span)
    return
  }
  declareElement(analysis, state, element[1] ?? '', element[2] ?? '', value)
}
