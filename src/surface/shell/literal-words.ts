import type { Simple, Word } from '../../core/shell/tree.js'

/** The words of a command that has no assignments and nothing to expand. Null for any other. */
export function wordsOf({ words, assignments }: Simple): readonly string[] | null {
  if (assignments.length > 0) return null
  const texts = words.map((word) => (word.kind === 'word' ? literal(word) : null))
  return texts.some((text) => text === null) ? null : (texts as string[])
}

export function literal({ parts }: Word): string | null {
  const texts = parts.map((part) => (part.kind === 'text' ? part.value : null))
  return texts.includes(null) ? null : texts.join('')
}
