import { parseScript } from '../../shell/parse-script.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import { OverBudget } from '../text/cost-meter.js'
import { unknown, type Value } from '../values/value.js'
import { expandValue } from './words.js'

const DELIMITER = 'CORDON_END_OF_TEXT'

/** Expands text again, as bash does for subscripts and prompts. Its substitutions run. */
export function expandText(analysis: Analysis, state: State, text: string): Value {
  if (!/[$`\\]/.test(text)) return text
  analysis.budget.spend(text.length)
  analysis.budget.enter()
  const source = `: <<${DELIMITER}\n${text}\n${DELIMITER}\n`
  const script = parseScript(source)
  const node = script.statements[0]?.node
  const body = node?.kind === 'simple' ? node.redirects[0] : undefined
  let value: Value = unknown('output', 'text with a syntax error')
  if (script.parseErrors.length > 0 || body?.kind !== 'text') {
    if (script.isTooLarge) throw new OverBudget(script.parseErrors[0]?.reason)
    analysis.findings.reportUnknown('bash expands text again that has a syntax error', null)
    if (body?.kind === 'text') analysis.location.within(source, () => expandValue(analysis, state, body.body))
    analysis.interpreter.recoverStatements(analysis, state, text)
  } else {
    const expanded = analysis.location.within(source, () => expandValue(analysis, state, body.body))
    value = typeof expanded === 'string' ? expanded.replace(/\n$/, '') : expanded
  }
  analysis.budget.exit()
  return value
}

/** Prompt escapes that can be any text: a character by number, a time format, the shell's name. */
const PROMPT_ESCAPES = /\\(?:[0-7]{3}|D\{|s)/

/** Runs the substitutions in a prompt (`${x@P}`, PS4). Its output is not followed. */
export function runPrompt(analysis: Analysis, state: State, text: string): void {
  if (PROMPT_ESCAPES.test(text)) analysis.findings.reportUnknown('bash expands a prompt with escapes again', null)
  expandText(analysis, state, text.replaceAll(/\\[[\]]/g, '').replaceAll('\\$', '$'))
}
