import { baseName } from '../model/path.js'
import { parseScript } from '../shell/parse-script.js'
import { expandValue } from './expand.js'
import { oneOf } from './one-of.js'
import type { Reading } from './reading.js'
import { salvage } from './salvage.js'
import type { State } from './state.js'
import { TooMuch } from './text/work.js'
import { concat, unknown, type Value } from './value.js'

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

/** The value of a prompt: `${x@P}`, PS4. Backslash escapes first, then expansion. */
export function expandPrompt(reading: Reading, state: State, text: string): Value {
  const escapes = /\\([0-7]{3}|D\{[^}]*\}|[aenrs$\\[\]dhHjltT@AuvVwW!#])/g
  // Who is root sees another sign.
  const signs = /\\\$/.test(text) ? ['$', '#'] : ['$']
  return oneOf(
    signs.map((sign) => {
      const decoded = text.replace(escapes, (_, letter: string) =>
        letter === '$' ? sign : decodedEscape(state, letter),
      )
      if (/(?:\$\(|`).*\ue200.*[)`]/s.test(decoded))
        reading.reportUnknown('a prompt puts into a command what is different on each machine', null)
      return withParts(expandText(reading, state, decoded))
    }),
  )
}

/** Stands for what is different on each machine and at each moment. */
const PART = '\ue200'

function decodedEscape(state: State, letter: string): string {
  if (/^[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(letter, 8))
  if (letter === 's') return typeof state.zero === 'string' ? baseName(state.zero) : PART
  if (letter.startsWith('D')) return /^D\{[^%]+\}$/.test(letter) ? letter.slice(2, -1) : PART
  return PROMPT[letter] ?? PART
}

function withParts(value: Value): Value {
  if (typeof value !== 'string' || !value.includes(PART)) return value
  const part = unknown('environment', 'a part of a prompt')
  return value.split(PART).reduce<Value>((all, piece, i) => concat(i === 0 ? '' : concat(all, part), piece), '')
}

const PROMPT: Readonly<Record<string, string>> = {
  a: '\x07',
  e: '\x1b',
  n: '\n',
  r: '\r',
  '\\': '\\',
  '[': '',
  ']': '',
}
