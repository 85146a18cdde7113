import { LIMITS } from '../model/basics/limits.js'

/** The maximum number of substitutions. Parsers are quadratic in them. */
const MAX_SUBSTITUTIONS = 2_000
const MAX_HERE_DOCUMENTS = 1_000
/** The maximum number of pipes: one in six characters of the longest script. No honest table has as many. */
const MAX_PIPES = 10_000

const BACKSLASH = 0x5c

/**
 * Returns a reason not to parse a text, or null. Runs in linear time before any recursive step. Counts nesting with and
 * without quotes, because a here-document can make either count wrong.
 */
export function unparsable(text: string): Refusal | null {
  if (text.includes('\0')) return { reason: 'the script contains a NUL byte', isTooLarge: false }
  if (text.charCodeAt(text.length - 1) === BACKSLASH && backslashesBefore(text, text.length) % 2 === 1)
    return { reason: 'the script ends in a backslash', isTooLarge: false }
  const reason = text.length < LIMITS.nestingDepth ? null : excess(text)
  return reason === null ? null : { reason, isTooLarge: true }
}

interface Refusal {
  readonly reason: string
  /** Set if the text is too large rather than invalid. */
  readonly isTooLarge: boolean
}

function backslashesBefore(text: string, end: number): number {
  let at = end
  while (text[at - 1] === '\\') at--
  return end - at
}

function excess(text: string): string | null {
  if (text.length > LIMITS.scriptBytes) return 'the script is too long'
  if (count(text, '<<') > MAX_HERE_DOCUMENTS) return 'the script holds too many here-documents'
  if (count(text, '$') + count(text, '`') + count(text, '<(') + count(text, '>(') > MAX_SUBSTITUTIONS)
    return 'the script holds too many substitutions'
  if (count(text, '|') > MAX_PIPES) return 'the script holds too many pipes'
  if (depthWithoutQuotes(text) > LIMITS.nestingDepth * 2) return 'the script is nested too deeply'
  if (depthWithQuotes(text) > LIMITS.nestingDepth) return 'the script is nested too deeply'
  return null
}

function count(text: string, what: string): number {
  let found = 0
  for (let i = text.indexOf(what); i >= 0; i = text.indexOf(what, i + what.length)) found++
  return found
}

function depthWithoutQuotes(text: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x28 || c === 0x7b || c === 0x5b) deepest = Math.max(deepest, ++depth)
    else if ((c === 0x29 || c === 0x7d || c === 0x5d) && depth > 0) depth--
  }
  return deepest
}

const DOUBLE = 0x22
const BACKTICK = 0x60

function depthWithQuotes(text: string): number {
  const open: number[] = []
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const top = open.at(-1)
    if (c === 0x5c) i++
    else if (c === DOUBLE || c === BACKTICK) {
      if (top === c) open.pop()
      else open.push(c)
    } else if (c === 0x28 || c === 0x7b) {
      if (top !== DOUBLE || text.charCodeAt(i - 1) === 0x24) open.push(c)
    } else if ((c === 0x29 && top === 0x28) || (c === 0x7d && top === 0x7b)) open.pop()
    else if (c === 0x27 && top !== DOUBLE) {
      const end = text.indexOf("'", i + 1)
      if (end > 0) i = end
    }
    if (open.length > deepest) deepest = open.length
  }
  return deepest
}
