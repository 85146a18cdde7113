import type { Case } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { analyseUnreachable, forkBranches, forkMaybe } from '../analysis/fork-branches.js'
import { expandPattern, expandValue } from '../expand/words.js'
import type { State } from '../state/state.js'
import { matchesPattern } from '../text/pattern.js'
import type { Value } from '../values/value.js'
import { runStatements } from './statements.js'

/** Runs `case`. It expands each pattern in turn, because earlier ones can have side effects. */
export function runCase(analysis: Analysis, state: State, node: Case): void {
  runFrom(analysis, state, node, expandValue(analysis, state, node.word), 0)
}

function runFrom(analysis: Analysis, state: State, node: Case, word: Value, from: number): void {
  const branches: ((state: State) => void)[] = []
  for (let i = from; i < node.items.length; i++) {
    const matches = matchesItem(analysis, state, node, word, i)
    if (matches === false) {
      analyseUnreachable(analysis, state, (s) => runBody(analysis, s, node, i))
      continue
    }
    if (matches === null) {
      branches.push((s) => runBodies(analysis, s, node, null, i))
      continue
    }
    // After `;;&` bash tests the other items too.
    const rest = node.items[i]?.ending === ';;&' ? node.items.length : i + 1
    for (let j = rest; j < node.items.length; j++)
      analyseUnreachable(analysis, state, (s) => runUnreached(analysis, s, node, j))
    if (branches.length === 0) runBodies(analysis, state, node, word, i)
    else forkBranches(analysis, state, [...branches, (s) => runBodies(analysis, s, node, word, i)])
    return
  }
  if (branches.length > 0) forkBranches(analysis, state, [...branches, stay])
}

const stay = (): void => {}

function matchesItem(analysis: Analysis, state: State, node: Case, word: Value, i: number): boolean | null {
  let result: boolean | null = false
  for (const pattern of node.items[i]?.patterns ?? []) {
    const text = expandPattern(analysis, state, pattern)
    const matches =
      typeof word === 'string' && text !== null && !state.options.has('nocasematch')
        ? matchesPattern(word, text, analysis.budget)
        : null
    if (matches) return true
    if (matches === null) result = null
  }
  return result
}

function runBody(analysis: Analysis, state: State, node: Case, i: number): void {
  const body = node.items[i]?.body ?? []
  if (body.length === 0) state.control.status = 0
  runStatements(analysis, state, body)
}

/** Analyses an item that bash does not reach. */
function runUnreached(analysis: Analysis, state: State, node: Case, i: number): void {
  for (const pattern of node.items[i]?.patterns ?? []) expandPattern(analysis, state, pattern)
  runBody(analysis, state, node, i)
}

/** Runs the body of a matching item and what follows: after `;&` the next body, after `;;&` each match. */
function runBodies(analysis: Analysis, state: State, node: Case, word: Value | null, from: number): void {
  for (let i = from; i < node.items.length; i++) {
    runBody(analysis, state, node, i)
    const ending = node.items[i]?.ending
    if (ending === ';;' || state.control.exit) return
    if (ending !== ';;&') continue
    if (word !== null) runFrom(analysis, state, node, word, i + 1)
    // After an unknown match any later item can match.
    else
      for (let j = i + 1; j < node.items.length; j++)
        forkMaybe(analysis, state, (s) => runUnreached(analysis, s, node, j))
    return
  }
}
