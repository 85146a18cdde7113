/** Text patterns: `*` stands for anything, `?` for one character, `\` takes the next one literally. Nothing else is special. */

const SPECIAL = /[*?\\]/

export const hasGlob = (text: string): boolean => /[*?[]/.test(text)

/** A pattern made ready: most are a word with a star before or behind it, which is found without going through the text. */
export function globTest(pattern: string): (text: string) => boolean {
  const word = /^(\*?)([^*?\\]*)(\*?)$/.exec(pattern)
  const text = word?.[2] ?? ''
  if (!word) return (one) => globMatches(pattern, one)
  if (word[1] && word[3]) return (one) => one.includes(text)
  if (word[1]) return (one) => one.endsWith(text)
  return word[3] ? (one) => one.startsWith(text) : (one) => one === text
}

/** Does the whole text match? Two pointers and one place to fall back to: no pattern is slower than pattern × text. */
export function globMatches(pattern: string, text: string): boolean {
  if (!SPECIAL.test(pattern)) return pattern === text
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
  if (segment.startsWith('.') && !pattern.startsWith('.')) return false
  return globMatches(pattern.replaceAll(/\[[^\]]*\]/g, '?'), segment)
}
