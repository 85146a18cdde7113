import { decodeAnsiC } from '../../shell/ansi-c.js'
import type { Work } from './work.js'

const CLASSES: Readonly<Record<string, string>> = {
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  digit: '0123456789',
  alpha: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  alnum: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  space: '\t\n\v\f\r ',
  blank: '\t ',
  punct: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  xdigit: '0123456789ABCDEFabcdef',
}

/** The characters a set of `tr` stands for. */
function setOf(spec: string, work: Work): readonly string[] | null {
  // Other escapes than these mean something else to tr, and an escaped dash makes no range.
  if (/[^\0-\x7f]|\\[^0-7abfnrtv\\]/.test(spec)) return null
  const text = decodeAnsiC(spec)
  if (spec.includes('\\') && /[-[]/.test(text)) return null
  const out: string[] = []
  for (let i = 0; i < text.length; i++) {
    const named = /^\[:(\w+):\]/.exec(text.slice(i, i + 12))
    if (named) {
      const members = CLASSES[named[1] ?? '']
      if (members === undefined) return null
      out.push(...members)
      i += named[0].length - 1
    } else if (/^\[.[*=]/.test(text.slice(i, i + 3))) return null
    else if (text[i + 1] === '-' && i + 2 < text.length) {
      const [from, to] = [text.charCodeAt(i), text.charCodeAt(i + 2)]
      if (to < from || to - from > 512) return null
      work.add(to - from)
      for (let c = from; c <= to; c++) out.push(String.fromCharCode(c))
      i += 2
    } else out.push(text[i] as string)
  }
  return out
}

/** What `tr` makes of text, or null where its arguments are not followed. */
export function translate(text: string, args: readonly string[], work: Work): string | null {
  work.chars(4 * text.length)
  for (const arg of args) work.chars(4 * arg.length)
  const options = args.filter((arg) => /^-[a-zA-Z]+$|^--/.test(arg)).join('')
  const has = (letter: string, long: string): boolean =>
    new RegExp(`-[a-zA-Z]*${letter}`).test(options.replace(/--\w+/g, '')) || options.includes(long)
  const [first, second, third] = args.filter((arg) => !/^-[a-zA-Z]+$|^--/.test(arg))
  if (
    first === undefined ||
    third !== undefined ||
    /[^\0-\x7f]/.test(text) ||
    has('t', '--truncate') ||
    /--(?!delete|squeeze|complement)/.test(options)
  )
    return null
  const from = setOf(first, work)
  const to = second === undefined ? [] : setOf(second, work)
  if (!from || !to) return null
  const members = new Set(from)
  const complement = has('[cC]', '--complement')
  const inSet = (c: string): boolean => members.has(c) !== complement
  if (has('d', '--delete')) {
    if (second !== undefined && !has('s', '--squeeze')) return null
    const kept = [...text].filter((c) => !inSet(c))
    return has('s', '--squeeze') ? squeeze(kept, new Set(to)) : kept.join('')
  }
  if (second === undefined) return has('s', '--squeeze') ? squeeze([...text], complement ? null : members) : null
  const table = new Map(from.map((c, i) => [c, to[i] ?? to.at(-1) ?? c]))
  const mapped = [...text].map((c) => (inSet(c) ? (complement ? (to.at(-1) ?? c) : (table.get(c) ?? c)) : c))
  return has('s', '--squeeze') ? squeeze(mapped, new Set(to)) : mapped.join('')
}

const squeeze = (chars: readonly string[], members: ReadonlySet<string> | null): string =>
  chars.filter((c, i) => c !== chars[i - 1] || (members !== null && !members.has(c))).join('')
