import type { Value } from '../values/value.js'

/** A pattern of `grep` for comments and empty lines; several of them, or a group, with `-E`. */
const ONE = /^\^(?:\\s\*)?[#$]$/
const SEVERAL = /^\^(?:\\s\*)?(?:[#$]|\(#\|\$\))(?:\|\^(?:\\s\*)?[#$])*$/
const PRINTABLE = /^[\t\n -~]*$/

/** Returns the lines that `grep` leaves out, or null for other options and patterns than those of comments. */
export function commentFilter(option: string, pattern: string): RegExp | null {
  const known = option === '-v' ? ONE : /^-(?:vE|Ev)$/.test(option) ? SEVERAL : null
  return known?.test(pattern) ? new RegExp(pattern) : null
}

/** Returns known text without some of its lines, or null if the text is not known. */
export function withoutLines(text: Value, skipped: RegExp): string | null {
  if (typeof text !== 'string' || !PRINTABLE.test(text)) return null
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  return lines.flatMap((line) => (skipped.test(line) ? [] : `${line}\n`)).join('')
}
