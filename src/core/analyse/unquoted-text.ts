/** What may be made of a text outside quotes: nothing, names of files, or more: several words, a home directory. */
type TextKind = 'plain' | 'pattern' | 'more'

const PATTERN = /[*?[]|[@!+]\(/
const MORE = /[~{\\]/

export function kindOfText(text: string): TextKind {
  const isPattern = PATTERN.test(text)
  if (!(isPattern || text.includes('~') || (text.includes('{') && /,|\.\./.test(text)))) return 'plain'
  return MORE.test(text) ? 'more' : 'pattern'
}
