import { readScript } from '../shell/parse-script.js'
import { expandValue } from './expand.js'
import type { Reading } from './reading.js'
import { salvage } from './salvage.js'
import type { State } from './state.js'
import { TooMuch } from './text/work.js'
import { hole, type Value } from './value.js'

const DELIMITER = 'CORDON_END_OF_TEXT'

/** Expands text once more, as bash does with subscripts, prompts and the like: what is substituted in it is run. */
export function expandText(reading: Reading, state: State, text: string): Value {
  if (!/[$`\\]/.test(text)) return text
  reading.work.spend(text.length)
  reading.work.enter()
  const script = readScript(`: <<${DELIMITER}\n${text}\n${DELIMITER}\n`)
  const node = script.statements[0]?.node
  const body = node?.kind === 'simple' ? node.redirects[0] : undefined
  let value: Value = hole('text that cannot be read', 'output')
  if (script.problems.length > 0 || body?.kind !== 'text') {
    if (script.isTooMuch) throw new TooMuch(script.problems[0]?.reason)
    reading.hidden('text that is evaluated again cannot be read', null)
    if (body?.kind === 'text') reading.within(null, () => expandValue(reading, state, body.body))
    salvage(reading, state, text)
  } else {
    const expanded = reading.within(null, () => expandValue(reading, state, body.body))
    value = typeof expanded === 'string' ? expanded.replace(/\n$/, '') : expanded
  }
  reading.work.exit()
  return value
}

/** The value of a prompt: `${x@P}`, PS4. Backslash escapes first, then expansion. */
export function expandPrompt(reading: Reading, state: State, text: string): Value {
  const decoded = text.replace(/\\([0-7]{3}|[aennrs$\\[\]])/g, (all, letter: string) => {
    if (/^[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(letter, 8))
    return PROMPT[letter] ?? all
  })
  return expandText(reading, state, decoded)
}

const PROMPT: Readonly<Record<string, string>> = {
  a: '\x07',
  e: '\x1b',
  n: '\n',
  r: '\r',
  s: 'bash',
  $: '$',
  '\\': '\\',
  '[': '',
  ']': '',
}
