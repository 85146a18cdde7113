import type { Span } from '../../model/span.js'
import type { Arg } from './knowledge.js'

/** A known argument. */
export const known = (text: string, span: Span): Arg => ({ text, head: text, several: false, span })

/** The argument without its first `count` characters; what is not known stays so. */
export const without = (arg: Arg, count: number): Arg =>
  arg.text === null
    ? { ...arg, head: arg.head.slice(count), several: false }
    : { ...arg, text: arg.text.slice(count), head: arg.head.slice(count) }

/** Several arguments joined with blanks, as `eval`, `ssh` and `watch` join them. */
export function joined(args: readonly Arg[], span: Span): Arg {
  const texts: string[] = []
  for (const arg of args) {
    if (arg.text === null) return { ...arg, head: [...texts, arg.head].join(' '), span }
    texts.push(arg.text)
  }
  return known(texts.join(' '), args[0]?.span ?? span)
}
