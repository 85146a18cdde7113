import type { Span } from '../../model/basics/span.js'
import type { Analysis } from '../analysis/analysis.js'
import { childState } from '../analysis/child-process.js'
import { known } from '../programs/grammar/arguments.js'
import { splitWords } from '../programs/grammar/effects-of.js'
import { type Meaning, meaningOf } from '../programs/variables-that-run-code.js'
import type { State } from '../state/state.js'
import { prefixOf, type Value } from '../values/value.js'
import { expandText, runPrompt } from './reexpansion.js'
import { reportReexpansion } from './unknown-reexpansion.js'
import { lookUp } from './variables.js'

/** Values of ENV that name an application stage, not a startup file. */
const STAGE = /^(?:test|testing|dev|development|prod|production|stag(?:e|ing)|local|ci|qa)$/i

/** Records a variable that programs inherit, and the code that it makes them run. */
export function addVariable(analysis: Analysis, state: State, name: string, span: Span): void {
  if (analysis.certainty.isRemote) return
  const { value } = lookUp(analysis, state, name)
  analysis.findings.variable({
    name,
    value: typeof value === 'string' ? value : null,
    span: analysis.location.of(span),
  })
  const meaning = meaningOf(name)
  if (meaning === undefined) return
  if (meaning === 'code') {
    analysis.findings.reportForeign(`${name} makes programs run code`, span)
    if (/^(?:GNU)?MAKEFLAGS$/.test(name) && typeof value === 'string') runMake(analysis, state, value, span)
    return
  }
  if (typeof value !== 'string') {
    if (value.origin === 'environment') return
    if (meaning === 'prompt') reportReexpansion(analysis, state, value)
    analysis.findings.reportUnknown(`${name} is set to an unknown command`, span)
    if (meaning !== 'script' && meaning !== 'prompt')
      analysis.interpreter.runText(analysis, childState(analysis, state), value)
    return
  }
  if (value === '' || (meaning === 'options' && !value.includes('+')) || (name === 'ENV' && STAGE.test(value))) return
  if (meaning === 'prompt') {
    runPrompt(analysis, state.fork(), value)
    return
  }
  analysis.budget.enter()
  const inner = childState(analysis, state)
  inner.via = [...state.via, name]
  if (meaning === 'script') {
    const path = expandText(analysis, state.fork(), value)
    const text = typeof path === 'string' ? path : null
    if (path !== '')
      analysis.interpreter.runScript(
        analysis,
        inner,
        { text, prefix: prefixOf(path), maySplit: false, span: analysis.location.of(span) },
        [],
        'unknown',
      )
  } else {
    // git appends its file name: `cat todo >` writes to that file.
    const text = commandIn(meaning, /^GIT_(?:SEQUENCE_)?EDITOR$/.test(name) ? value.replace(/>>?\s*$/, '') : value)
    if (text === '') {
      analysis.budget.exit()
      return
    }
    // A system shell can start the user's shell, which evaluates the text.
    for (const shell of meaning === 'pipe' ? ['sh', 'bash'] : ['sh'])
      analysis.findings.addInvocation(
        inner,
        [shell, '-c', text].map((word) => known(word, analysis.location.of(span))),
      )
    analysis.interpreter.runText(analysis, inner, text)
  }
  analysis.budget.exit()
}

/** Runs make with the arguments of its variable where they name a command: `SHELL=…`, `--eval=…`, `$(shell …)`. */
function runMake(analysis: Analysis, state: State, value: string, span: Span): void {
  if (!/SHELL|eval|\$/.test(value)) return
  const inner = childState(analysis, state)
  inner.via = [...state.via, 'MAKEFLAGS']
  const at = analysis.location.of(span)
  analysis.budget.enter()
  analysis.interpreter.runProgram(analysis, inner, [known('make', at), ...splitWords(known(value, at))])
  analysis.budget.exit()
}

function commandIn(meaning: Meaning, value: string): string {
  if (meaning === 'pipe') return value.replace(/^[|-]+/, '')
  return meaning === 'options' ? typedCommand(value) : value
}

/** Returns the command of `-R +!command`, which a pager runs when it starts. */
function typedCommand(options: string): string {
  for (const { 0: word, index } of options.matchAll(/\S+/g)) {
    const plus = word.indexOf('+')
    const bang = plus < 0 ? -1 : word.indexOf('!', plus)
    if (bang >= 0) return options.slice(index + bang + 1).split('\n', 1)[0] ?? ''
  }
  return ''
}

/** Runs a variable that bash itself evaluates, exported or not. */
export function runOwnVariable(analysis: Analysis, state: State, name: string, span: Span): void {
  if (name !== 'PROMPT_COMMAND' && !/^PS[0-4]$/.test(name)) return
  const { value, choices } = lookUp(analysis, state, name)
  for (const each of choices ?? [value]) runOwnValue(analysis, state, name, each)
  if (choices === null && typeof value === 'object')
    for (const option of value.alternatives ?? []) runOwnValue(analysis, state, name, option)
  void span
}

function runOwnValue(analysis: Analysis, state: State, name: string, value: Value): void {
  if (name === 'PROMPT_COMMAND') analysis.interpreter.runText(analysis, state.fork(), value)
  else if (typeof value !== 'string') reportReexpansion(analysis, state, value)
  else if (/\$\(|`|\$\{/.test(value.replace(/\\140/g, '`').replace(/\\044/g, '$')))
    analysis.location.within(null, () => runPrompt(analysis, state.fork(), value))
}
