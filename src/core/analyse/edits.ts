import type { Arg } from './programs/knowledge.js'
import { FILTERS } from './text/filters.js'
import type { Work } from './text/work.js'

const IN_PLACE = /^(?:-i|--in-place(?:=|$))/

/** What an edit makes of the text of each file; null where it cannot be followed. */
export type Edit = (text: string, work: Work) => string | null

/** `sed -i` with a script that is followed: the change it makes to every file it names. Null for all else. */
export function editOf(program: string, args: readonly Arg[]): Edit | null {
  if (program !== 'sed' && program !== 'gsed') return null
  const words: string[] = []
  let isInPlace = false
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? null
    if (text === null) return null
    if (!text.startsWith('-')) words.push(text)
    else if (text === '-Ei' || text === '-ri') words.push(text.slice(0, 2))
    else if (!IN_PLACE.test(text)) words.push(text)
    isInPlace ||= words.at(-1) !== text
  }
  const call = isInPlace ? FILTERS.get('sed')?.read(words) : null
  return call?.change ?? null
}
