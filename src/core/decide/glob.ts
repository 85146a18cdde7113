/** Text patterns: `*` stands for anything, `?` for one character, `\` takes the next one literally. Nothing else is special. */

/** Has a text what makes the shell look for file names: a star, a question mark, a set, or an extended pattern as in `.@(env|netrc)`? */
export const hasGlob = (text: string): boolean => /[*?[]|[@!+]\(/.test(text)

/** Does the whole text match? Two pointers and one place to fall back to: no pattern is slower than pattern × text. */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    const c = pattern[p]
    if (c === '*') {
      star = p++
      resume = t
      continue
    }
    const escaped = c === '\\' && p + 1 < pattern.length
    if (c !== undefined && (c === '?' || (escaped ? pattern[p + 1] : c) === text[t])) {
      p += escaped ? 2 : 1
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
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
