import type { Assignment, Part, Simple, Word } from '../shell/tree.js'

const cache = new WeakMap<Simple, ReadonlySet<string>>()

/** The variables a simple command's own words mention; substitutions inside look after themselves. */
export function variablesIn(node: Simple): ReadonlySet<string> {
  const cached = cache.get(node)
  if (cached) return cached
  const names = new Set<string>()
  for (const assignment of node.assignments) addAssignment(names, assignment)
  for (const word of node.words) {
    if (word.kind === 'word') addWord(names, word)
    else addAssignment(names, word)
  }
  for (const redirect of node.redirects) addWord(names, redirect.kind === 'file' ? redirect.target : redirect.body)
  cache.set(node, names)
  return names
}

function addAssignment(names: Set<string>, assignment: Assignment): void {
  if (assignment.value.kind === 'word') addWord(names, assignment.value)
  else for (const element of assignment.value.elements) addWord(names, element)
  if (assignment.append) names.add(assignment.name)
}

function addWord(names: Set<string>, word: Word): void {
  for (const part of word.parts) addPart(names, part)
}

function addPart(names: Set<string>, part: Part): void {
  if (part.kind === 'parameter') {
    names.add(part.name)
    if (part.index) addWord(names, part.index)
    const { operation } = part
    if (operation?.kind === 'default' || operation?.kind === 'remove') addWord(names, operation.operand)
    if (operation?.kind === 'replace') {
      addWord(names, operation.pattern)
      addWord(names, operation.replacement)
    }
  } else if (part.kind === 'arithmetic') addWord(names, part.expression)
}
