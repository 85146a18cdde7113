import type { Word } from '../shell/tree.js'
import { doubt } from './again.js'
import { type ArithmeticHost, evaluate } from './arithmetic.js'
import { assign, assignElement, numberedKey } from './assigning.js'
import { expandText } from './evaluate-text.js'
import { expandValue } from './expand.js'
import { amongMany } from './many-elements.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** The value of `(( … ))`, `$(( … ))` or a subscript; null when it is not known. What it evaluates again is run. */
export function evaluateWord(reading: Reading, state: State, word: Word): bigint | null {
  const [first, ...rest] = word.parts
  // A tilde is an operator there.
  const isTilde = first?.kind === 'text' && first.value.startsWith('~')
  const plain = isTilde ? { ...word, parts: [{ ...first, quoted: true }, ...rest] } : word
  return evaluateValue(reading, state, expandValue(reading, state, plain))
}

/** Text evaluated as arithmetic. Unknown text that others wrote could hold a subscript with a command in it. */
export function evaluateValue(reading: Reading, state: State, value: Value): bigint | null {
  if (typeof value !== 'string') {
    doubt(reading, state, value)
    for (const option of value.options ?? []) evaluate(option, hostOf(reading, state))
    return null
  }
  const { hasFailed } = reading
  reading.hasFailed = false
  const number = evaluate(value, hostOf(reading, state))
  // Of an expression with something in it that is none, nothing is made at all.
  const isNone: boolean = reading.hasFailed
  reading.hasFailed = hasFailed || isNone
  return isNone ? null : number
}

function hostOf(reading: Reading, state: State): ArithmeticHost {
  const keyOf = (name: string, subscript: string): string | null => {
    if (lookUp(reading, state, name).attributes.includes('A')) return subscript
    const index = evaluate(subscript, host)
    return index === null ? null : String(index)
  }
  const host: ArithmeticHost = {
    work: reading.work,
    read: (name, subscript) => {
      const variable = lookUp(reading, state, name)
      if (subscript === null) {
        if (typeof variable.value === 'string' && !variable.choices) return variable.value
        if (typeof variable.value !== 'string') doubt(reading, state, variable.value)
        for (const choice of variable.choices ?? [])
          if (typeof choice === 'string') evaluate(choice, host)
          else doubt(reading, state, choice)
        return null
      }
      const key = keyOf(name, subscript)
      const place = key === null || variable.attributes.includes('A') ? key : numberedKey(variable, key)
      const among = place === null || !variable.items ? undefined : amongMany(variable.items, Number(place))
      // What nothing is known of may be an array as well.
      const whole = variable.items === null && (place === '0' || typeof variable.value === 'object')
      const value =
        key === null
          ? null
          : variable.items
            ? (among ?? variable.items.get(place ?? '') ?? '')
            : whole
              ? variable.value
              : ''
      if (typeof value === 'string') return value
      if (value !== null) doubt(reading, state, value)
      return null
    },
    write: (name, subscript, number) => {
      const value = number === null ? unknown('number', 'a number') : String(number)
      if (subscript === null) assign(reading, state, name, value)
      else {
        const key = keyOf(name, subscript)
        if (key !== null) assignElement(reading, state, name, key, value)
      }
    },
    fails: () => reading.fails(),
    expand: (text) => {
      const value = expandText(reading, state, text)
      return typeof value === 'string' ? value : null
    },
  }
  return host
}
