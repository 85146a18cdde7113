import { parseScript } from '../shell/parse-script.js'
import { expandValue } from './expand.js'
import type { Reading } from './reading.js'
import { salvage } from './salvage.js'
import type { State } from './state.js'
import { TooMuch } from './text/work.js'
import { unknown, type Value } from './value.js'

const DELIMITER = 'CORDON_END_OF_TEXT'

/** Expands text once more, as bash does with subscripts, prompts and the like: what is substituted in it is run. */
export function expandText(reading: Reading, state: State, text: string): Value {
  if (!/[$`\\]/.test(text)) return text
  reading.work.spend(text.length)
  reading.work.enter()
  const source = `: <<${DELIMITER}\n${text}\n${DELIMITER}\n`
  const script = parseScript(source)
  const node = script.statements[0]?.node
  const body = node?.kind === 'simple' ? node.redirects[0] : undefined
  let value: Value = unknown('output', 'text that cannot be read')
  if (script.problems.length > 0 || body?.kind !== 'text') {
    if (script.isTooMuch) throw new TooMuch(script.problems[0]?.reason)
    reading.reportUnknown('text that is evaluated again cannot be read', null)
    if (body?.kind === 'text') reading.within(source, () => expandValue(reading, state, body.body))
    salvage(reading, state, text)
  } else {
    const expanded = reading.within(source, () => expandValue(reading, state, body.body))
    value = typeof expanded === 'string' ? expanded.replace(/\n$/, '') : expanded
  }
  reading.work.exit()
  return value
}

/** Escapes of a prompt that can be any text: a character by its number, the time in a format, the name of the shell. */
const PROMPT_ESCAPES = /\\(?:[0-7]{3}|D\{|s)/

/** Runs what is substituted in a prompt: `${x@P}`, PS4. What it prints is not followed. */
export function runPrompt(reading: Reading, state: State, text: string): void {
  if (PROMPT_ESCAPES.test(text)) reading.reportUnknown('a prompt with escapes is evaluated again', null)
  expandText(reading, state, text.replaceAll(/\\[[\]]/g, '').replaceAll('\\$', '$'))
}
