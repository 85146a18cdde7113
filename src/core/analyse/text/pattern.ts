import { extendedEnds, extendedRegex, extendedStarts } from './extended-pattern.js'
import type { Work } from './work.js'

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['alnum', 'a-zA-Z0-9'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['blank', ' \\t'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['xdigit', '0-9a-fA-F'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['print', ' -~'],
  ['graph', '!-~'],
  ['word', '\\w'],
])

/** Longer results are not followed. */
const REPLACED_CHARS = 262_144

/** One step of a pattern: any run of characters, or one character that passes a test. */
type Token = 'star' | ((c: string) => boolean)

/** The tokens of a shell pattern, or null when it uses what is not understood (extended globs). Backslashes quote. */
function tokensOf(pattern: string, ignoreCase: boolean): readonly Token[] | null {
  const tokens: Token[] = []
  const literal = (c: string): Token => (ignoreCase ? (d) => d.toLowerCase() === c.toLowerCase() : (d) => d === c)
  const chars = [...pattern]
  for (let i = 0; i < chars.length; i++) {
    const c = chars[i] as string
    if (c === '\\') tokens.push(literal(chars[++i] ?? '\\'))
    else if (/[?*+@!]/.test(c) && chars[i + 1] === '(') return null
    else if (c === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star')
    } else if (c === '?') tokens.push(() => true)
    else if (c === '[') {
      const bracket = bracketAt(chars, i, ignoreCase)
      tokens.push(bracket?.test ?? literal('['))
      i = bracket?.end ?? i
    } else tokens.push(literal(c))
  }
  return tokens
}

/** `[a-z]`, `[!x]`, `[[:digit:]]`, or null where the bracket is never closed. */
function bracketAt(
  chars: readonly string[],
  start: number,
  ignoreCase: boolean,
): { readonly test: (c: string) => boolean; readonly end: number } | null {
  let i = start + 1
  const negated = chars[i] === '!' || chars[i] === '^'
  if (negated) i++
  let source = ''
  for (let first = true; i < chars.length; i++, first = false) {
    const c = chars[i] as string
    if (c === ']' && !first) {
      const set = regexOrNull(`^[${negated ? '^' : ''}${source}]$`, ignoreCase ? 'iu' : 'u')
      return set ? { test: (d) => set.test(d), end: i } : null
    }
    const named = /^\[:(\w+):\]/.exec(chars.slice(i, i + 12).join(''))
    if (named) {
      source += CLASSES.get(named[1] ?? '') ?? ''
      i += named[0].length - 1
    } else if (c === '\\' && i + 1 < chars.length) source += escaped(chars[++i] as string)
    else source += c === '-' && !first && chars[i + 1] !== ']' ? '-' : escaped(c)
  }
  return null
}

const escaped = (c: string): string => (/[\\\]^[-]/.test(c) ? `\\${c}` : c)

function regexOrNull(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

/** Where matches that begin at `start` can end, shortest first. Every position is looked at once per token. */
function endsOf(tokens: readonly Token[], chars: readonly string[], start: number, work: Work): readonly number[] {
  const ends: number[] = []
  let active = withStars(tokens, new Set([0]))
  for (let at = start; ; at++) {
    if (active.has(tokens.length)) ends.push(at)
    if (at >= chars.length || active.size === 0) return ends
    work.add(1 + active.size)
    const next = new Set<number>()
    for (const state of active) {
      const token = tokens[state]
      if (token === 'star') next.add(state)
      else if (token?.(chars[at] as string)) next.add(state + 1)
    }
    active = withStars(tokens, next)
  }
}

/** A star can match nothing, so whoever stands before it also stands behind it. */
function withStars(tokens: readonly Token[], states: Set<number>): Set<number> {
  for (const state of states) if (tokens[state] === 'star') states.add(state + 1)
  return states
}

/** Those of the texts that match a pattern; null when that cannot be told. */
export function matching(texts: readonly string[], pattern: string, work: Work): readonly string[] | null {
  work.chars(4 * pattern.length)
  const tokens = tokensOf(pattern, false)
  if (!tokens) return null
  return texts.filter((text) => {
    const chars = [...text]
    return endsOf(tokens, chars, 0, work).at(-1) === chars.length
  })
}

/** Does all of the text match the pattern? Null when that cannot be told. */
export function matchesPattern(text: string, pattern: string, work: Work, ignoreCase = false): boolean | null {
  if (text === pattern && /^[\w./ -]*$/.test(pattern)) return true
  work.chars(text.length + 4 * pattern.length)
  const tokens = tokensOf(pattern, ignoreCase)
  if (!tokens) {
    const regex = text.length > 512 ? null : extendedRegex(pattern, ignoreCase)
    return regex?.test(text) ?? null
  }
  const chars = [...text]
  return endsOf(tokens, chars, 0, work).at(-1) === chars.length
}

/** `${text#pattern}`, `##`, `%`, `%%`. Null when that cannot be told. */
export function removePattern(text: string, pattern: string, operator: string, work: Work): string | null {
  work.chars(2 * text.length + 4 * pattern.length)
  const tokens = tokensOf(pattern, false)
  if (/[?[]/.test(pattern) && /[^\0-\x7f]/.test(text)) return null
  const fromEnd = operator.startsWith('%')
  if (!tokens) return removeExtended(text, pattern, operator, work)
  const chars = fromEnd ? [...text].reverse() : [...text]
  const ends = endsOf(fromEnd ? tokens.toReversed() : tokens, chars, 0, work)
  const end = operator.length === 1 ? ends[0] : ends.at(-1)
  if (end === undefined) return text
  const rest = chars.slice(end)
  return (fromEnd ? rest.reverse() : rest).join('')
}

function removeExtended(text: string, pattern: string, operator: string, work: Work): string | null {
  const regex = extendedRegex(pattern, false)
  const fromEnd = operator.startsWith('%')
  const found = regex && (fromEnd ? extendedStarts(regex, text, work) : extendedEnds(regex, text, 0, work))
  if (!found) return null
  const at = operator.length === 1 ? found[0] : found.at(-1)
  return at === undefined ? text : fromEnd ? text.slice(0, at) : text.slice(at)
}

/** `${text/pattern/replacement}` with `//`, `/#`, `/%`. Null when that cannot be told. */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: string,
  work: Work,
): string | null {
  work.chars(2 * text.length + 4 * pattern.length)
  const tokens = tokensOf(pattern, false)
  const regex = tokens ? null : extendedRegex(pattern, false)
  if (!(tokens || regex) || (!tokens && text.length > 512)) return null
  if (/[?[]/.test(pattern) && /[^\0-\x7f]/.test(text)) return null
  if (pattern === '') {
    const added = filled(replacement, '')
    return operator === '/#' ? added + text : operator === '/%' ? text + added : text
  }
  // In no text at all bash finds only what begins with a star.
  if (text === '') return pattern.startsWith('*') && matchesPattern('', pattern, work) ? filled(replacement, '') : ''
  const chars = [...text]
  let out = ''
  let done = 0
  for (let at = 0; at <= chars.length; at++) {
    const ends =
      operator === '/#' && at > 0
        ? []
        : tokens
          ? endsOf(tokens, chars, at, work)
          : ((regex && extendedEnds(regex, text, at, work)) ?? [])
    const end = operator === '/%' ? ends.find((e) => e === chars.length) : ends.at(-1)
    if (end === undefined || (end === chars.length && at === end && operator !== '/%')) continue
    work.add(2 + (replacement.length >> 3))
    out += chars.slice(done, at).join('') + filled(replacement, chars.slice(at, end).join(''))
    if (out.length > REPLACED_CHARS) return null
    done = end
    if (operator !== '//') break
    at = Math.max(at, end - 1)
  }
  return out + chars.slice(done).join('')
}

/** bash 5.2 puts the match where the replacement has an unquoted `&`; the caller quotes those that are not meant so. */
const filled = (replacement: string, match: string): string =>
  replacement.replace(/\\([\\&])|&/g, (all, quoted: string | undefined) => quoted ?? (all === '&' ? match : all))
