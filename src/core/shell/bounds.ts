import { LIMITS } from '../model/limits.js'

/** A script with more substitutions than this is never honest work, and parsers are quadratic in them. */
const SUBSTITUTIONS = 2_000
const HERE_DOCUMENTS = 1_000
/** One in six characters of the longest script: no table that somebody writes into a file has as many. */
const PIPES = 10_000

const BACKSLASH = 0x5c

/**
 * Says why a text must not be handed to the parser, or null. Linear, before anything recursive or quadratic sees it.
 * Nesting is counted twice, with quotes understood and without, since a here-document can make either count wrong.
 */
export function unparsable(text: string): Refusal | null {
  if (text.includes('\0')) return { reason: 'the script contains a NUL byte', isTooMuch: false }
  if (text.charCodeAt(text.length - 1) === BACKSLASH && backslashesBefore(text, text.length) % 2 === 1)
    return { reason: 'the script ends in a backslash', isTooMuch: false }
  const reason = text.length < LIMITS.nestingDepth ? null : excess(text)
  return reason === null ? null : { reason, isTooMuch: true }
}

interface Refusal {
  readonly reason: string
  /** There is too much of it, rather than something wrong with it. */
  readonly isTooMuch: boolean
}

function backslashesBefore(text: string, end: number): number {
  let at = end
  while (text[at - 1] === '\\') at--
  return end - at
}

function excess(text: string): string | null {
  if (text.length > LIMITS.scriptBytes) return 'the script is too long'
  if (count(text, '<<') > HERE_DOCUMENTS) return 'the script holds too many here-documents'
  if (count(text, '$') + count(text, '`') + count(text, '<(') + count(text, '>(') > SUBSTITUTIONS)
    return 'the script holds too many substitutions'
  if (count(text, '|') > PIPES) return 'the script holds too many pipes'
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
