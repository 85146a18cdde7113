/** Text patterns: `*` stands for anything, `?` for one character, `\` takes the next one literally. Nothing else is special. */

/** Has a text what makes the shell look for file names: a star, a question mark, a set, or an extended pattern as in `.@(env|netrc)`? */
export const hasGlob = (text: string): boolean => /[*?[]|[@!+]\(/.test(text)

/** Does the whole text match? Linear in the text: each part between stars is searched for once, and without going back. */
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

/** One character of a pattern; null for any. */
type Character = string | null

/** What stands between the stars of a pattern. */
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

/** The first place from `from` on; -1 for none. */
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

/** One segment of a pathname expansion: as text, but a leading dot is only matched by a dot, and `[…]` by anything. */
export function shellGlobMatches(pattern: string, segment: string): boolean {
  if (pattern.includes('(') && EXTENDED.test(pattern))
    return alternatives(pattern).some((plain) => shellGlobMatches(plain, segment))
  if (segment.startsWith('.') && !pattern.startsWith('.')) return false
  return globMatches(pattern.replaceAll(/\[[^\]]*\]/g, '?'), segment)
}

const EXTENDED = /[@!+*?]\(/
/** Of more than so many only how they begin is looked at. */
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

/** A pattern whose first extended part, which begins here, is replaced by what it stands for. Of a part that repeats, only the first time. */
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

/** What stands between the parentheses, taken apart at the bars that are not inside others; and what stands behind them. */
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
