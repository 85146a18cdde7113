import { escapeArg } from '../model/display.js'
import type { Parameter } from '../shell/tree.js'
import type { Expansion } from './expand.js'
import { listed } from './keyed-order.js'
import { isStar, type Subject } from './parameter-subject.js'
import type { Reading } from './reading.js'
import type { State, Variable } from './state.js'
import { concat, type Value } from './value.js'
import { lookUp } from './variables.js'

/** The order in which bash names what a variable is. */
const LETTERS = 'aAinrtxlu'

const attributesOf = ({ attributes, exported, items }: Variable): string =>
  [...LETTERS]
    .filter((letter) =>
      letter === 'x'
        ? exported
        : letter === 'a'
          ? items !== null && !attributes.includes('A')
          : attributes.includes(letter),
    )
    .join('')

/** Text as `${x@Q}` writes it. */
export function quoted(text: string): string {
  if (CONTROL.test(text)) return `$'${text.replace(ESCAPED, (c) => LETTER[c] ?? octal(c))}'`
  return escapeArg(text).startsWith("'") ? escapeArg(text) : `'${text}'`
}

const CONTROL = /[\0-\x1f\x7f]/
const ESCAPED = /[\0-\x1f\x7f\\']/g
const LETTER: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\E',
  '\\': '\\\\',
  "'": "\\'",
}
const octal = (c: string): string => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`

const inQuotes = (value: Value, quote: (text: string) => string): Value =>
  typeof value === 'string' ? quote(value) : concat(concat("'", value), "'")

const doubly = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`

const joinAll = (values: readonly Value[]): Value => values.reduce<Value>(concat, '')

/** `${x@k}`, `${x@K}`, `${x@A}`, `${x@a}`: a variable with its keys, as it would be declared, or what it is. Null for all other letters. */
export function writtenOut(
  reading: Reading,
  state: State,
  part: Parameter,
  subject: Subject,
  operator: string,
): Expansion | null {
  if (!'kKAa'.includes(operator) || subject.values === null) return null
  const { joined } = subject
  const list = (values: readonly Value[]): Expansion => ({ list: values, joined, unknown: false })
  if (!/^[A-Za-z_]/.test(part.name)) {
    const each = subject.values.map((value) => inQuotes(value, quoted))
    if (operator === 'a') return list(subject.values.map(() => ''))
    if (operator !== 'A') return subject.isList ? list(each) : { value: each[0] ?? '' }
    return subject.isList ? list(['set', '--', ...each]) : { value: '' }
  }
  const variable = lookUp(reading, state, part.name)
  const attributes = attributesOf(variable)
  const isWhole = part.index !== null && isStar(part.index)
  if (operator === 'a')
    return isWhole ? list(attributes === '' ? [] : subject.values.map(() => attributes)) : { value: attributes }
  const declaring = attributes === '' ? '' : `declare -${attributes} `
  if (!(isWhole && variable.items)) {
    const [value] = subject.values
    if (value === undefined && operator === 'A' && attributes !== '' && !isWhole)
      return { value: declaring + part.name }
    if (value === undefined) return isWhole ? list([]) : { value: '' }
    const text = inQuotes(value, quoted)
    return { value: operator === 'A' ? concat(`${declaring}${part.name}=`, text) : text }
  }
  const entries = listed(variable)
  reading.work.add(4 * entries.length)
  if (operator === 'k') return list(entries.flat())
  if (operator === 'K') {
    const pairs = entries.map(([key, value]) => concat(`${key} `, concat(inQuotes(value, doubly), ' ')))
    const text = joinAll(pairs)
    return { value: typeof text === 'string' && !attributes.includes('A') ? text.trimEnd() : text }
  }
  const pairs = entries.map(([key, value], i) => concat(`${i > 0 ? ' ' : ''}[${key}]=`, inQuotes(value, doubly)))
  return list(['declare', `-${attributes}`, concat(`${part.name}=(`, concat(joinAll(pairs), ')'))])
}
