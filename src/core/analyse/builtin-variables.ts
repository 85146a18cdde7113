import { assign, assignArray, numberedKey, targetName } from './assigning.js'
import { declareElement, doubtName } from './builtin-declare.js'
import { optionLetters } from './builtin-options.js'
import type { Builtin } from './builtins.js'
import { addVariable, runOwnVariable } from './environment-facts.js'
import { evaluateValue } from './evaluate.js'
import { expandText } from './evaluate-text.js'
import { isMany } from './many-elements.js'
import { dropPositional } from './positional.js'
import { asWritten } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, UNSET, type Variable } from './state.js'
import { argValue, type Value } from './value.js'
import { lookUp } from './variables.js'

const NO_ITEMS: ReadonlyMap<string, Value> = new Map()

export const unset: Builtin = (reading, state, args) => {
  const { on, operands } = optionLetters(args)
  state.status = 0
  for (const arg of operands) {
    if (arg.text === null) {
      reading.reportUnknown('a name that is not known is unset', arg.span)
      doubtName(reading, state, arg)
      continue
    }
    // What a reference names goes, an element of an array too.
    const named = on.includes('n') || on.includes('f') ? arg.text : referred(state, arg.text)
    if (state.get(arg.text.replace(/\[.*$/s, ''))?.attributes.includes('r')) state.status = 1
    const element = /^(\w+)\[(.*)\]$/s.exec(named)
    if (element) {
      const text = expandText(reading, state, element[2] ?? '')
      const before = lookUp(reading, state, element[1] ?? '')
      const key = before.attributes.includes('A') ? text : keyOf(reading, state, before, text)
      const isAll = key === '@' || key === '*'
      if (isAll || (key === '0' && !before.items))
        state.set(targetName(state, element[1] ?? ''), before.items ? { ...UNSET, items: NO_ITEMS } : UNSET)
      else if (typeof key === 'string' && before.items)
        assignArray(state, element[1] ?? '', new Map([...before.items].filter(([k]) => k !== key)))
    } else if (on.includes('f') || (!state.get(arg.text)?.isSet && state.functionNamed(arg.text)))
      state.setFunction(arg.text, null)
    else {
      const name = on.includes('n') ? arg.text : targetName(state, arg.text)
      if (!(state.get(name)?.attributes.includes('r') || state.unsetOuter(name))) state.set(name, UNSET)
    }
  }
}

/** What a name refers to. A subscript of one that refers to an element is not looked at. */
function referred(state: State, name: string): string {
  const target = targetName(state, name.replace(/\[.*$/s, ''))
  return target.includes('[') || !name.includes('[') ? target : name
}

/** A subscript is arithmetic, and one below zero counts from the end. */
function keyOf(reading: Reading, state: State, variable: Variable, text: Value): Value {
  if (text === '@' || text === '*') return text
  const number = evaluateValue(reading, state, text)
  return number === null ? text : (numberedKey(variable, String(number)) ?? '')
}

export const shift: Builtin = (_reading, state, args) => {
  const count = args[1] ? Number(args[1].text ?? Number.NaN) : 1
  state.status = 0
  if (count > state.positional.length && !state.positional.some(isMany)) state.status = 1
  else dropPositional(state, Number.isNaN(count) ? null : count)
}

/** Every argument of `let` is arithmetic. */
export const letWords: Builtin = (reading, state, args) => {
  let value: number | null = 0
  for (const arg of args.slice(1)) value = evaluateValue(reading, state, argValue(asWritten(arg)))
  state.status = value === null ? null : value === 0 ? 1 : 0
}

/** Sets a variable by a name that a builtin was given, subscript and all. */
export function assignNamed(reading: Reading, state: State, name: Arg | undefined, value: Value): void {
  if (!name) return
  if (name.text === null) {
    reading.reportUnknown('a variable whose name is not known is set', name.span)
    doubtName(reading, state, name)
    return
  }
  const element = /^(\w+)\[(.*)\]$/s.exec(name.text)
  if (!element) {
    assign(reading, state, name.text, value)
    if (state.get(name.text)?.exported) addVariable(reading, state, name.text, name.span)
    runOwnVariable(reading, state, name.text, name.span)
    return
  }
  declareElement(reading, state, element[1] ?? '', element[2] ?? '', value)
}
