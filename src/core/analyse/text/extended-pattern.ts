import type { Work } from './work.js'

/** Longer patterns, and longer texts, are not followed: each can match in too many ways. */
const PATTERN_CHARS = 96
const TEXT_CHARS = 512

const OPENING = /(?:^|[^\\])[?*+@!]\(/

/** Does a pattern use what `shopt -s extglob` turns on? */
export const isExtended = (pattern: string): boolean => OPENING.test(pattern)

/** An extended pattern as a regular expression; null where it is not followed: one that negates with something behind it, or repeats a repetition. */
export function extendedRegex(pattern: string, ignoreCase: boolean): RegExp | null {
  if (pattern.length > PATTERN_CHARS) return null
  let source = ''
  const open: string[] = []
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (/[?*+@!]/.test(c) && pattern[i + 1] === '(') {
      if (open.some((kind) => kind === '*' || kind === '+') && c !== '@' && c !== '?') return null
      if (c === '!' && open.length > 0) return null
      open.push(c)
      source += c === '!' ? '(?!(?:' : '(?:'
      i++
    } else if (c === ')' && open.length > 0) {
      const kind = open.pop() as string
      if (kind === '!' && i + 1 < pattern.length) return null
      source += kind === '!' ? ')$)[^]*' : kind === '@' ? ')' : `)${kind}`
    } else if (c === '|' && open.length > 0) source += '|'
    else if (c === '\\') source += escaped(pattern[++i] ?? '\\')
    else if (c === '[') {
      const bracket = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(pattern.slice(i))
      if (!bracket || /\[[:.=]/.test(bracket[2] ?? '')) return null
      source += `[${bracket[1] ? '^' : ''}${(bracket[2] ?? '').replace(/\\?([\]\\[^])/g, '\\$1')}]`
      i += bracket[0].length - 1
    } else if (c === '*') {
      if (open.some((kind) => kind === '*' || kind === '+')) return null
      source += '[^]*'
    } else source += c === '?' ? '[^]' : escaped(c)
  }
  if (open.length > 0) return null
  try {
    return new RegExp(`^(?:${source})$`, ignoreCase ? 'iu' : 'u')
  } catch {
    return null
  }
}

const escaped = (c: string): string => (/[\\^$.|+()[\]{}/*?]/.test(c) ? `\\${c}` : c)

/** Where matches that begin at `start` can end, shortest first; null where there is too much text. */
export function extendedEnds(regex: RegExp, text: string, start: number, work: Work): readonly number[] | null {
  if (text.length > TEXT_CHARS) return null
  const ends: number[] = []
  for (let end = start; end <= text.length; end++) {
    work.chars(4 * (end - start) + 8)
    if (regex.test(text.slice(start, end))) ends.push(end)
  }
  return ends
}

/** Where matches that reach to the end can begin, the shortest first. */
export function extendedStarts(regex: RegExp, text: string, work: Work): readonly number[] | null {
  if (text.length > TEXT_CHARS) return null
  const starts: number[] = []
  for (let start = text.length; start >= 0; start--) {
    work.chars(4 * (text.length - start) + 8)
    if (regex.test(text.slice(start))) starts.push(start)
  }
  return starts
}
