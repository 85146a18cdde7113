import type { CostMeter } from './cost-meter.js'

/** The maximum number of steps of one match. A star scans the text once per position. */
const MAX_STEPS = 1_000_000
const SPECIAL = /[\\^$.|+()[\]{}/*?]/g

/** Translates plain text, `*` and `?` to a regular expression. Null for other patterns and long texts. */
function regexOf(pattern: string, text: string, star: '[^]*' | '[^]*?', meter: CostMeter): string | null {
  meter.chars(text.length + 4 * pattern.length)
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
  // The locale decides whether `?` matches a byte or a character.
  if (cost > MAX_STEPS || (source.includes('[^]') && /[^\0-\x7f]/.test(text))) return null
  meter.add(cost >> 8)
  return source
}

/** Tells whether the whole text matches the pattern. Null if that is not followed. */
export function matchesPattern(text: string, pattern: string, meter: CostMeter): boolean | null {
  const source = regexOf(pattern, text, '[^]*', meter)
  return source === null ? null : new RegExp(`^${source}$`).test(text)
}

/** Applies `${text#pattern}`, `##`, `%` and `%%`. Null if that is not followed. */
export function removePattern(text: string, pattern: string, operator: string, meter: CostMeter): string | null {
  const isLongest = operator.length === 2
  const source = regexOf(pattern, text, isLongest ? '[^]*' : '[^]*?', meter)
  if (source === null) return null
  return operator.startsWith('#')
    ? text.replace(new RegExp(`^${source}`), '')
    : text.replace(new RegExp(`^([^]*${isLongest ? '?' : ''})${source}$`), '$1')
}

/** Applies `${text/pattern/replacement}`, `//`, `/#`, `/%`. Null if not followed: `&` can stand for the match. */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: string,
  meter: CostMeter,
): string | null {
  const source = regexOf(pattern, text, '[^]*', meter)
  if (source === null || /[&\\]/.test(replacement) || new RegExp(`^${source}$`).test('')) return null
  meter.add(text.length * (1 + (replacement.length >> 3)))
  const anchored = operator === '/#' ? `^${source}` : operator === '/%' ? `${source}$` : source
  return text.replace(new RegExp(anchored, operator === '//' ? 'g' : ''), () => replacement)
}

/** Returns the names that a glob can match. Brackets and extended patterns match anything. */
export function couldMatch(names: readonly string[], pattern: string, meter: CostMeter): readonly string[] {
  const simplified = pattern.replace(/[?*+@!]\(.*\)/gs, '*').replace(/\[[^\]]+\]/g, '?')
  return names.filter((name) => matchesPattern(name, simplified, meter) !== false)
}
