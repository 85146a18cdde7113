import type { Span } from '../model/span.js'
import { doubt } from './again.js'
import { expandText, runPrompt } from './evaluate-text.js'
import { inherited } from './inherit.js'
import { known } from './programs/arguments.js'
import { type Meaning, meaningOf } from './programs/environment.js'
import type { Reading } from './reading.js'
import { runScript, runText } from './shell-text.js'
import type { State } from './state.js'
import { headOf, type Value } from './value.js'
import { lookUp } from './variables.js'

/** `ENV=test` names a stage of an application; a shell that takes commands from a terminal would read a file of that name. */
const STAGE = /^(?:test|testing|dev|development|prod|production|stag(?:e|ing)|local|ci|qa)$/i

/** Notes a variable that reaches programs, and follows it where it makes them run something. */
export function addVariable(reading: Reading, state: State, name: string, span: Span): void {
  if (reading.remote > 0) return
  const { value } = lookUp(reading, state, name)
  reading.findings.variable({ name, value: typeof value === 'string' ? value : null, span: reading.at(span) })
  const meaning = meaningOf(name)
  if (meaning === undefined) return
  if (meaning === 'code') {
    reading.reportForeign(`${name} makes programs run code`, span)
    return
  }
  if (typeof value !== 'string') {
    if (value.source === 'environment') return
    if (meaning === 'prompt') doubt(reading, state, value)
    reading.reportUnknown(`${name} is a command that is not known`, span)
    if (meaning !== 'script' && meaning !== 'prompt') runText(reading, inherited(reading, state), value)
    return
  }
  if (value === '' || (meaning === 'options' && !value.includes('+')) || (name === 'ENV' && STAGE.test(value))) return
  if (meaning === 'prompt') {
    runPrompt(reading, state.fork(), value)
    return
  }
  reading.work.enter()
  const inner = inherited(reading, state)
  inner.via = [...state.via, name]
  if (meaning === 'script') {
    const path = expandText(reading, state.fork(), value)
    const text = typeof path === 'string' ? path : null
    if (path !== '')
      runScript(reading, inner, { text, head: headOf(path), several: false, span: reading.at(span) }, [], 'unknown')
  } else {
    const text = commandIn(meaning, value)
    if (text === '') {
      reading.work.exit()
      return
    }
    // A shell of the system's starts the user's, which reads the text.
    for (const shell of meaning === 'pipe' ? ['sh', 'bash'] : ['sh'])
      reading.invocation(
        inner,
        [shell, '-c', text].map((word) => known(word, reading.at(span))),
      )
    runText(reading, inner, text)
  }
  reading.work.exit()
}

/** The command that a variable holds. */
function commandIn(meaning: Meaning, value: string): string {
  if (meaning === 'pipe') return value.replace(/^[|-]+/, '')
  return meaning === 'options' ? typedCommand(value) : value
}

/** `-R +!command`: among the options of a pager, what is typed when it starts. */
function typedCommand(options: string): string {
  for (const { 0: word, index } of options.matchAll(/\S+/g)) {
    const plus = word.indexOf('+')
    const bang = plus < 0 ? -1 : word.indexOf('!', plus)
    if (bang >= 0) return options.slice(index + bang + 1).split('\n', 1)[0] ?? ''
  }
  return ''
}

/** Variables that are run by bash itself, exported or not. */
export function runOwnVariable(reading: Reading, state: State, name: string, span: Span): void {
  if (name !== 'PROMPT_COMMAND' && !/^PS[0-4]$/.test(name)) return
  const { value, choices } = lookUp(reading, state, name)
  for (const each of choices ?? [value]) runOwnValue(reading, state, name, each)
  if (choices === null && typeof value === 'object')
    for (const option of value.options ?? []) runOwnValue(reading, state, name, option)
  void span
}

function runOwnValue(reading: Reading, state: State, name: string, value: Value): void {
  if (name === 'PROMPT_COMMAND') runText(reading, state.fork(), value)
  else if (typeof value !== 'string') doubt(reading, state, value)
  else if (/\$\(|`|\$\{/.test(value.replace(/\\140/g, '`').replace(/\\044/g, '$')))
    reading.within(null, () => runPrompt(reading, state.fork(), value))
}
