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

const quote = (c: string): string => c.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** Is there anything in it that makes it a pattern? Backslashes quote. */
export const isPattern = (text: string): boolean => /[*?]|\[.*\]|[@!+]\(/s.test(text.replace(/\\[\s\S]/g, ''))

/**
 * A shell pattern as a regular expression's source, or null when it uses what is not understood. `lazy`: a star takes as little as
 * it can. A run of stars is one star, so that matching stays linear in practice.
 */
export function patternSource(pattern: string, lazy = false): string | null {
  let source = ''
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (c === '\\') source += quote(pattern[++i] ?? '\\')
    else if (/[?*+@!]/.test(c) && pattern[i + 1] === '(') return null
    else if (c === '*') {
      while (pattern[i + 1] === '*') i++
      source += lazy ? '[\\s\\S]*?' : '[\\s\\S]*'
    } else if (c === '?') source += '[\\s\\S]'
    else if (c === '[') {
      const bracket = bracketSource(pattern, i)
      if (bracket === null) source += '\\['
      else {
        source += bracket.source
        i = bracket.end
      }
    } else source += quote(c)
  }
  return source
}

function bracketSource(pattern: string, start: number): { readonly source: string; readonly end: number } | null {
  let i = start + 1
  let inside = ''
  if (pattern[i] === '!' || pattern[i] === '^') {
    inside = '^'
    i++
  }
  for (let first = true; i < pattern.length; i++, first = false) {
    const c = pattern[i] as string
    if (c === ']' && !first) return { source: `[${inside}]`, end: i }
    const named = /^\[:(\w+):\]/.exec(pattern.slice(i, i + 12))
    if (named) {
      inside += CLASSES.get(named[1] ?? '') ?? ''
      i += named[0].length - 1
    } else if (c === '\\' && i + 1 < pattern.length) inside += quote(pattern[++i] as string)
    else inside += c === '-' && !first && pattern[i + 1] !== ']' ? '-' : quote(c)
  }
  return null
}

/** Does all of the text match the pattern? Null when that cannot be told. */
export function matchesPattern(text: string, pattern: string, ignoreCase = false): boolean | null {
  const source = patternSource(pattern)
  if (source === null || (pattern.length > 64 && text.length > 4_096)) return null
  try {
    return new RegExp(`^(?:${source})$`, ignoreCase ? 'iu' : 'u').test(text)
  } catch {
    return null
  }
}

/** `${text#pattern}`, `##`, `%`, `%%`. Null when that cannot be told. */
export function removePattern(text: string, pattern: string, operator: string): string | null {
  const source = patternSource(pattern, operator.length === 1)
  if (source === null || text.length > 65_536) return null
  try {
    if (operator.startsWith('#')) return text.replace(new RegExp(`^(?:${source})`, 'u'), '')
    return removeSuffix(text, source, operator.length === 2)
  } catch {
    return null
  }
}

/** A lazy expression is not the shortest suffix: start positions are tried one by one. */
function removeSuffix(text: string, source: string, longest: boolean): string | null {
  if (text.length > 4_096) return null
  const whole = new RegExp(`^(?:${source})$`, 'u')
  const order = Array.from({ length: text.length + 1 }, (_, i) => (longest ? i : text.length - i))
  for (const i of order) if (whole.test(text.slice(i))) return text.slice(0, i)
  return text
}

/** `${text/pattern/replacement}` with `//`, `/#`, `/%`. Null when that cannot be told. */
export function replacePattern(text: string, pattern: string, replacement: string, operator: string): string | null {
  const source = patternSource(pattern)
  if (source === null || text.length > 65_536) return null
  if (pattern === '') return operator === '/#' ? replacement + text : operator === '/%' ? text + replacement : text
  const anchored = operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : source
  try {
    // bash 5.2 puts the match where the replacement has an unquoted &; the caller quotes those that are not meant so.
    return text.replace(new RegExp(anchored, operator === '//' ? 'gu' : 'u'), (match) =>
      match === '' && operator === '//'
        ? ''
        : replacement.replace(
            /\\([\\&])|&/g,
            (all, escaped: string | undefined) => escaped ?? (all === '&' ? match : all),
          ),
    )
  } catch {
    return null
  }
}
