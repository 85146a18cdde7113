import type { Work } from './work.js'

/** Steps that one match may take; a star goes over the text once more for each place. */
const STEPS = 1_000_000
const SPECIAL = /[\\^$.|+()[\]{}/*?]/g

/**
 * Translates a pattern of plain text, `*` and `?` to a regular expression; backslashes quote. Null for all others (brackets, extended
 * patterns) and where the text is too long for it. `star`: how `*` matches.
 */
function regexOf(pattern: string, text: string, star: '[^]*' | '[^]*?', work: Work): string | null {
  work.chars(text.length + 4 * pattern.length)
  let source = ''
  let cost = text.length + 1
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (c === '[' || (/[?*+@!]/.test(c) && pattern[i + 1] === '(')) return null
    if (c === '*') {
      if (!source.endsWith(star)) cost *= text.length + 1
      if (!source.endsWith(star)) source += star
    } else if (c === '?') source += '[^]'
    else source += (c === '\\' && i + 1 < pattern.length ? pattern[++i] : c)?.replace(SPECIAL, '\\$&')
  }
  // Whether `?` is a byte or a character depends on the locale.
  if (cost > STEPS || (source.includes('[^]') && /[^\0-\x7f]/.test(text))) return null
  work.add(cost >> 8)
  return source
}

/** Does all of the text match the pattern? Null where that is not followed. */
export function matchesPattern(text: string, pattern: string, work: Work): boolean | null {
  const source = regexOf(pattern, text, '[^]*', work)
  return source === null ? null : new RegExp(`^${source}$`).test(text)
}

/** `${text#pattern}`, `##`, `%`, `%%`. Null where that is not followed. */
export function removePattern(text: string, pattern: string, operator: string, work: Work): string | null {
  const isLongest = operator.length === 2
  const source = regexOf(pattern, text, isLongest ? '[^]*' : '[^]*?', work)
  if (source === null) return null
  return operator.startsWith('#')
    ? text.replace(new RegExp(`^${source}`), '')
    : text.replace(new RegExp(`^([^]*${isLongest ? '?' : ''})${source}$`), '$1')
}

/** `${text/pattern/replacement}` with `//`, `/#`, `/%`. Null where that is not followed: `&` in a replacement can stand for the match. */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: string,
  work: Work,
): string | null {
  const source = regexOf(pattern, text, '[^]*', work)
  if (source === null || /[&\\]/.test(replacement) || new RegExp(`^${source}$`).test('')) return null
  work.add(text.length * (1 + (replacement.length >> 3)))
  const anchored = operator === '/#' ? `^${source}` : operator === '/%' ? `${source}$` : source
  return text.replace(new RegExp(anchored, operator === '//' ? 'g' : ''), () => replacement)
}

/** Those of the names that could match a pattern for file names. Brackets and extended patterns are taken for anything. */
export function couldMatch(names: readonly string[], pattern: string, work: Work): readonly string[] {
  const loose = pattern.replace(/[?*+@!]\(.*\)/gs, '*').replace(/\[[^\]]+\]/g, '?')
  return names.filter((name) => matchesPattern(name, loose, work) !== false)
}
