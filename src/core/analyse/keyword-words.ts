import type { Assignment, Simple, Text, Word } from '../shell/tree.js'

const NAME = /^([A-Za-z_]\w*)(\+?)=/

/** A word that bash takes for an assignment: its name and the equals sign stand there as they are. */
function assignmentOf(word: Word): Assignment | null {
  const [first, ...rest] = word.parts
  if (first?.kind !== 'text' || first.quoted) return null
  const [prefix, name, append] = NAME.exec(first.value) ?? []
  if (prefix === undefined || name === undefined) return null
  const left: Text = { ...first, value: first.value.slice(prefix.length) }
  const value: Word = { ...word, parts: left.value === '' ? rest : [left, ...rest] }
  return { kind: 'assignment', name, index: null, append: append === '+', value, span: word.span }
}

/** After `set -k` every word that looks like an assignment is one, wherever it stands, and `declare` gets none: the command as it is then, or null. */
export function withKeywords(node: Simple): Simple | null {
  const made: Assignment[] = []
  const words = node.words.filter((word, i) => {
    const assignment = i === 0 ? null : word.kind === 'word' ? assignmentOf(word) : word
    if (assignment) made.push(assignment)
    return assignment === null
  })
  return made.length === 0 ? null : { ...node, words, assignments: [...node.assignments, ...made] }
}
