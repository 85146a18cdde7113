/**
 * Globs: `*` matches any text, `?` one character, `\` makes the next character literal. No other character is special.
 */

/**
 * Reports whether the shell expands a word to file names: it contains `*`, `?`, a set or an extended glob such as
 * `.@(env|netrc)`.
 */
export const hasGlob = (text: string): boolean => /[*?[]|[@!+]\(/.test(text)

/** Reports whether a glob matches the whole text. Runs in linear time: it searches each part between stars once. */
export function globMatches(pattern: string, text: string): boolean {
  if (!/[*?\\]/.test(pattern)) return pattern === text
  const [first = [], ...rest] = partsOf(pattern)
  const last = rest.pop()
  if (last === undefined) return first.length === text.length && fits(first, text, 0)
  if (first.length + last.length > text.length) return false
  if (!fits(first, text, 0) || !fits(last, text, text.length - last.length)) return false
  let from = first.length
  for (const part of rest) {
    const at = find(part, text, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}

/** One character of a pattern; null matches any character. */
type Character = string | null

/** Splits a pattern at its stars. */
function partsOf(pattern: string): readonly (readonly Character[])[] {
  const parts: Character[][] = [[]]
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (c === '*') {
      parts.push([])
      continue
    }
    const escaped = c === '\\' && i + 1 < pattern.length
    if (escaped) i++
    parts.at(-1)?.push(escaped ? (pattern[i] as string) : c === '?' ? null : c)
  }
  return parts
}

function fits(part: readonly Character[], text: string, at: number): boolean {
  return part.every((c, i) => c === null || c === text[at + i])
}

/** Returns the first index at or after `from`; -1 if there is none. */
function find(part: readonly Character[], text: string, from: number): number {
  if (part.includes(null)) {
    for (let at = from; at + part.length <= text.length; at++) if (fits(part, text, at)) return at
    return -1
  }
  // Knuth-Morris-Pratt: a text of one repeated character takes no longer than any other.
  const borders = bordersOf(part)
  let matched = 0
  for (let at = from; at < text.length && matched < part.length; at++) {
    while (matched > 0 && part[matched] !== text[at]) matched = borders[matched - 1] as number
    if (part[matched] === text[at]) matched++
    if (matched === part.length) return at + 1 - matched
  }
  return matched === part.length ? from : -1
}

/** For each beginning of the part, the length of its longest proper beginning that is its end as well. */
function bordersOf(part: readonly Character[]): readonly number[] {
  const borders: number[] = part.length === 0 ? [] : [0]
  for (let i = 1, length = 0; i < part.length; i++) {
    while (length > 0 && part[i] !== part[length]) length = borders[length - 1] as number
    if (part[i] === part[length]) length++
    borders.push(length)
  }
  return borders
}

/** A text as a pattern that matches it alone. */
export const escapeGlob = (text: string): string => text.replaceAll(/[*?\\]/g, '\\$&')

/** Matches one segment of a pathname expansion. A leading dot matches only a dot, and `[…]` matches any character. */
export function shellGlobMatches(pattern: string, segment: string): boolean {
  if (pattern.includes('(') && EXTENDED.test(pattern))
    return alternatives(pattern).some((plain) => shellGlobMatches(plain, segment))
  if (segment.startsWith('.') && !pattern.startsWith('.')) return false
  return globMatches(pattern.replaceAll(/\[[^\]]*\]/g, '?'), segment)
}

const EXTENDED = /[@!+*?]\(/
/** Limit of alternatives. Beyond it, only the text before the extended part is compared. */
const ALTERNATIVES = 64

/** Plain patterns which together match all that an extended one does, and sometimes more. */
export function alternatives(pattern: string): readonly string[] {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const at = next.search(EXTENDED)
    if (at < 0) done.push(next)
    else if (done.length + open.length >= ALTERNATIVES) done.push(`${next.slice(0, at)}*`)
    else open.push(...opened(next, at))
  }
  return done
}

/** Replaces the first extended part of a pattern by its alternatives. A repeated part is expanded once. */
function opened(pattern: string, at: number): readonly string[] {
  const before = pattern.slice(0, at)
  const [choices, rest] = choicesIn(pattern, at + 2)
  switch (pattern[at]) {
    case '@':
      return choices.map((choice) => before + choice + rest)
    case '?':
      return ['', ...choices].map((choice) => before + choice + rest)
    case '+':
      return choices.map((choice) => `${before}${choice}*${rest}`)
    case '*':
      return [before + rest, ...choices.map((choice) => `${before}${choice}*${rest}`)]
    default:
      return [`${before}*${rest}`]
  }
}

/** Returns the alternatives between the parentheses, split at the outer bars, and the text after them. */
function choicesIn(pattern: string, from: number): readonly [choices: readonly string[], rest: string] {
  const choices: string[] = []
  let start = from
  let depth = 0
  for (let i = from; i < pattern.length; i++) {
    const c = pattern[i]
    if (c === '(') depth++
    else if (c === ')' && depth > 0) depth--
    else if (depth > 0 || (c !== '|' && c !== ')')) continue
    else {
      choices.push(pattern.slice(start, i))
      if (c === ')') return [choices, pattern.slice(i + 1)]
      start = i + 1
    }
  }
  return [[...choices, `${pattern.slice(start)}*`], '']
}
