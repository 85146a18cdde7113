import type { Assignment, Simple, Word } from '../../shell/tree.js'
import type { State } from './state.js'
import { scalar, UNSET, type Variable } from './variable.js'

/** The versions of a variable. */
type Choice = readonly [name: string, variables: readonly Variable[]]

/** Returns the first variable in a simple command's words that has several possible values. */
export function variableWithChoices(state: State, node: Simple): Choice | null {
  for (const assignment of node.assignments) {
    const found = inAssignment(state, assignment)
    if (found) return found
  }
  for (const word of node.words) {
    const found = word.kind === 'word' ? inWord(state, word) : inAssignment(state, word)
    if (found) return found
  }
  for (const redirect of node.redirects) {
    const found = inWord(state, redirect.kind === 'file' ? redirect.target : redirect.body)
    if (found) return found
  }
  return null
}

/** Returns the versions of a variable. With `tells`, an unset version counts too. */
function named(state: State, name: string, tells = false): Choice | null {
  const variable = state.variables.get(name)
  if (!variable?.choices) return null
  const variables = variable.choices.map((value) => scalar(value, variable))
  if (tells && variable.mayBeUnset) variables.push({ ...UNSET, attributes: variable.attributes })
  return [name, variables]
}

function inAssignment(state: State, { name, value, append }: Assignment): Choice | null {
  const found = value.kind === 'word' ? inWord(state, value) : inWords(state, value.elements)
  return found ?? (append ? named(state, name) : null)
}

function inWords(state: State, words: readonly Word[]): Choice | null {
  for (const word of words) {
    const found = inWord(state, word)
    if (found) return found
  }
  return null
}

function inWord(state: State, word: Word): Choice | null {
  for (const part of word.parts) {
    if (part.kind === 'arithmetic') {
      const found = inWord(state, part.expression)
      if (found) return found
    }
    if (part.kind !== 'parameter') continue
    const { index, operation } = part
    const tells = index !== null || (operation !== null && /^(?:default|transform|names)$/.test(operation.kind))
    const found =
      named(state, part.name, tells) ??
      (index ? inWord(state, index) : null) ??
      (operation?.kind === 'default' || operation?.kind === 'remove' ? inWord(state, operation.operand) : null) ??
      (operation?.kind === 'replace' ? inWords(state, [operation.pattern, operation.replacement]) : null)
    if (found) return found
  }
  return null
}
