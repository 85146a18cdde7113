import type { Unknown } from '../../model/facts.js'
import type { Span } from '../../model/span.js'
import { type Arg, MARK, type Source } from './knowledge.js'

/** A known argument. */
export const known = (text: string, span: Span): Arg => ({ text, head: text, several: false, span })

/** Is an argument the work of a program over text that stands in the script? That is how a word is disguised. */
export const isMade = ({ text, source, head, around }: Arg): boolean =>
  text === null &&
  (source === 'made' ||
    source === 'decoded' ||
    ((source === 'output' || source === 'unpacked') &&
      (COMPLETED.test(head) || BEGUN.test(around ?? '') || HELD_BACK.test(around ?? ''))))

/** What a program prints completes the name: `.en$(…)`, `/etc/sh$(…)`. */
const COMPLETED =
  /(?:^|\/)\.[\w.]*$|(?:^|\/)\.(?:git|ssh|aws|gnupg|claude|codex|cursor|vscode)\/[\w.-]*$|^\/(?:etc|dev|proc|sys|boot)\/[^/]*$|^\/+[^/]*$|^\/home\/[^/]*(?:\/[^/]*)?$|^(?:co?r?|op?e?|cord[\w.]*|open[\w.]*)$/
/** The same the other way round: `$(…)env`, where a dot is printed. */
const BEGUN = new RegExp(
  `^${MARK}(?:(?:env|git|ssh|aws|gnupg)\\b|\\.?\\./|[a-z]?f?=?/dev/|o?r?d?on\\.toml$|p?e?n?code\\.json)`,
)
/** Text that stands on a line of its own before or behind what is not known. */
const HELD_BACK = /^[/.~-]\S*\n|\n[/.~-]\S*$/

type More = Pick<Arg, 'around' | 'place' | 'options' | 'isFound'>

const NOTHING_MORE: More = {}

/** An argument that is not known. Each has all the fields, so that what looks at many arguments meets few kinds of object: others are slow. */
export const notKnown = (
  head: string,
  unknown: Unknown,
  source: Source | undefined,
  several: boolean,
  span: Span,
  { around, place, options, isFound }: More = NOTHING_MORE,
): Arg => ({ text: null, head, unknown, source, around, place, options, isFound, several, span })

/** A pattern that fits no file stays what it is, and no honest file has the name of what is evaluated. */
export const asWritten = (arg: Arg): Arg =>
  arg.text === null && arg.unknown?.glob !== undefined ? known(arg.unknown.glob, arg.span) : arg

/** The argument without its first `count` characters; what is not known stays so. */
export const without = (arg: Arg, count: number): Arg =>
  arg.text === null
    ? { ...arg, head: arg.head.slice(count), several: false }
    : { ...arg, text: arg.text.slice(count), head: arg.head.slice(count) }

/** Several arguments joined with blanks, as `eval`, `ssh` and `watch` join them. */
export function joined(args: readonly Arg[], span: Span): Arg {
  const at = args.findIndex((arg) => arg.text === null)
  const unknown = args[at]
  if (unknown === undefined) return known(textsOf(args).join(' '), args[0]?.span ?? span)
  if (args.length === 1) return { ...unknown, span }
  const before = textsOf(args.slice(0, at))
  const after = args.slice(at + 1)
  const { options, place, around: _, ...rest } = unknown
  const whole = (text: string): string => [...before, text, ...textsOf(after)].join(' ')
  const isOnly = after.every((arg) => arg.text !== null)
  return {
    ...rest,
    head: [...before, unknown.head].join(' '),
    around: args.map(aroundArg).join(' '),
    ...(isOnly && options ? { options: options.map(whole) } : {}),
    ...(isOnly && place !== undefined ? { place: whole(place) } : {}),
    span,
  }
}

const textsOf = (args: readonly Arg[]): readonly string[] => args.map((arg) => arg.text ?? '')

const aroundArg = (arg: Arg): string => arg.text ?? arg.around ?? arg.head + MARK
