import type { Arg } from './programs/knowledge.js'
import { FILTERS } from './text/filters.js'
import type { Work } from './text/work.js'

/** What an edit makes of the text of each file; null where it cannot be followed. */
export type Edit = (text: string, work: Work) => string | null

/** `sed -i` with a script that is followed: the change it makes to every file it names. Null for all else. */
export function editOf(program: string, args: readonly Arg[]): Edit | null {
  if (program !== 'sed' && program !== 'gsed') return null
  const words: string[] = []
  let isInPlace = false
  for (const { text } of args.slice(1)) {
    if (text === null) return null
    const bundled = /^-([Er])i$/.exec(text)?.[1]
    if (bundled !== undefined) words.push(`-${bundled}`)
    else if (!/^(?:-i|--in-place(?:=|$))/.test(text)) words.push(text)
    isInPlace ||= bundled !== undefined || words.at(-1) !== text
  }
  const call = isInPlace ? FILTERS.get('sed')?.read(words) : null
  return call?.change ?? null
}
