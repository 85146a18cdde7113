/** The result of expanding unquoted text: itself, file names, or more (several words, a home directory). */
type TextKind = 'plain' | 'pattern' | 'more'

const PATTERN = /[*?[]|[@!+]\(/
const MORE = /[~{\\]/

export function kindOfText(text: string): TextKind {
  const isPattern = PATTERN.test(text)
  if (!(isPattern || text.includes('~') || (text.includes('{') && /,|\.\./.test(text)))) return 'plain'
  return MORE.test(text) ? 'more' : 'pattern'
}
