import type { Case } from '../shell/tree.js'
import { forkBranches, forkMaybe, walkDead } from './branch.js'
import { expandPattern, expandValue } from './expand.js'
import type { Reading } from './reading.js'
import { runStatements } from './run.js'
import type { State } from './state.js'
import { matchesPattern } from './text/pattern.js'
import type { Value } from './value.js'

/** `case`: patterns are looked at one after the other, each when it is its turn, since what ran before may have changed what it says. */
export function runCase(reading: Reading, state: State, node: Case): void {
  runFrom(reading, state, node, expandValue(reading, state, node.word), 0)
}

function runFrom(reading: Reading, state: State, node: Case, word: Value, from: number): void {
  const branches: ((state: State) => void)[] = []
  for (let i = from; i < node.items.length; i++) {
    const matches = matchesItem(reading, state, node, word, i)
    if (matches === false) {
      walkDead(reading, state, (s) => runBody(reading, s, node, i))
      continue
    }
    if (matches === null) {
      branches.push((s) => runBodies(reading, s, node, null, i))
      continue
    }
    // After `;;&` the others are looked at yet.
    const rest = node.items[i]?.ending === ';;&' ? node.items.length : i + 1
    for (let j = rest; j < node.items.length; j++) walkDead(reading, state, (s) => runUnreached(reading, s, node, j))
    if (branches.length === 0) runBodies(reading, state, node, word, i)
    else forkBranches(reading, state, [...branches, (s) => runBodies(reading, s, node, word, i)])
    return
  }
  if (branches.length > 0) forkBranches(reading, state, [...branches, stay])
}

const stay = (): void => {}

function matchesItem(reading: Reading, state: State, node: Case, word: Value, i: number): boolean | null {
  let result: boolean | null = false
  for (const pattern of node.items[i]?.patterns ?? []) {
    const text = expandPattern(reading, state, pattern)
    const matches =
      typeof word === 'string' && text !== null && !state.options.has('nocasematch')
        ? matchesPattern(word, text, reading.work)
        : null
    if (matches) return true
    if (matches === null) result = null
  }
  return result
}

function runBody(reading: Reading, state: State, node: Case, i: number): void {
  const body = node.items[i]?.body ?? []
  if (body.length === 0) state.status = 0
  runStatements(reading, state, body)
}

/** An item that is not looked at any more, for its facts alone. */
function runUnreached(reading: Reading, state: State, node: Case, i: number): void {
  for (const pattern of node.items[i]?.patterns ?? []) expandPattern(reading, state, pattern)
  runBody(reading, state, node, i)
}

/** Runs the body of an item that matches and what follows it: after `;&` the next body, after `;;&` whatever else matches. */
function runBodies(reading: Reading, state: State, node: Case, word: Value | null, from: number): void {
  for (let i = from; i < node.items.length; i++) {
    runBody(reading, state, node, i)
    const ending = node.items[i]?.ending
    if (ending === ';;' || state.leave) return
    if (ending !== ';;&') continue
    if (word !== null) runFrom(reading, state, node, word, i + 1)
    // Where it is not known what matches, any of those that follow may.
    else
      for (let j = i + 1; j < node.items.length; j++)
        forkMaybe(reading, state, (s) => runUnreached(reading, s, node, j))
    return
  }
}
