import type { Span } from '../../../model/basics/span.js'
import type { Unknown } from '../../../model/run/facts.js'
import { type Arg, MARK } from './roles.js'

export const known = (text: string, span: Span): Arg => ({ text, prefix: text, maySplit: false, span })

/** Tells whether a program computes the argument from text of the script, which is a form of obfuscation. */
export const isComputed = ({ text, origin, prefix, template }: Arg): boolean =>
  text === null &&
  (origin === 'made' ||
    origin === 'decoded' ||
    ((origin === 'output' || origin === 'unpacked') &&
      (COMPLETED.test(prefix) || BEGUN.test(template ?? '') || HELD_BACK.test(template ?? ''))))

/** A path that program output completes: `.en$(…)`, `/etc/sh$(…)`. */
const COMPLETED =
  /(?:^|\/)\.[\w.]*$|(?:^|\/)\.(?:git|ssh|aws|gnupg|claude|codex|cursor|vscode)\/[\w.-]*$|^\/(?:etc|dev|proc|sys|boot)\/[^/]*$|^\/+[^/]*$|^\/home\/[^/]*(?:\/[^/]*)?$|^(?:co?r?|op?e?|cord[\w.]*|open[\w.]*)$/
/** A path that program output begins: `$(…)env` with a printed dot. */
const BEGUN = new RegExp(
  `^${MARK}(?:(?:env|git|ssh|aws|gnupg)\\b|\\.?\\./|[a-z]?f?=?/dev/|o?r?d?on\\.toml$|p?e?n?code\\.json)`,
)
/** Text on a separate line before or after an unknown part. */
const HELD_BACK = /^[/.~-]\S*\n|\n[/.~-]\S*$/

type More = Pick<Arg, 'origin' | 'template' | 'pathName' | 'alternatives' | 'isFound'>

const NOTHING_MORE: More = {}

/** Returns an unknown argument with all fields set. Code over many arguments stays fast with one object shape. */
export const notKnown = (
  prefix: string,
  unknown: Unknown,
  maySplit: boolean,
  span: Span,
  { origin, template, pathName, alternatives, isFound }: More = NOTHING_MORE,
): Arg => ({ text: null, prefix, unknown, origin, template, pathName, alternatives, isFound, maySplit, span })

/** Returns a glob argument as text: an unmatched glob stays as written, and no honest file is named like code. */
export const asWritten = (arg: Arg): Arg =>
  arg.text === null && arg.unknown?.glob !== undefined ? known(arg.unknown.glob, arg.span) : arg

/** Returns an argument without its first `count` characters. */
export const without = (arg: Arg, count: number): Arg =>
  arg.text === null
    ? { ...arg, prefix: arg.prefix.slice(count), maySplit: false }
    : { ...arg, text: arg.text.slice(count), prefix: arg.prefix.slice(count) }

/** Joins arguments with blanks, as `eval`, `ssh` and `watch` do. */
export function joined(args: readonly Arg[], span: Span): Arg {
  const at = args.findIndex((arg) => arg.text === null)
  const unknown = args[at]
  if (unknown === undefined) return known(textsOf(args).join(' '), args[0]?.span ?? span)
  if (args.length === 1) return { ...unknown, span }
  const before = textsOf(args.slice(0, at))
  const after = args.slice(at + 1)
  const { alternatives, pathName, template: _, ...rest } = unknown
  const whole = (text: string): string => [...before, text, ...textsOf(after)].join(' ')
  const isOnly = after.every((arg) => arg.text !== null)
  return {
    ...rest,
    prefix: [...before, unknown.prefix].join(' '),
    template: args.map(aroundArg).join(' '),
    ...(isOnly && alternatives ? { alternatives: alternatives.map(whole) } : {}),
    ...(isOnly && pathName !== undefined ? { pathName: whole(pathName) } : {}),
    span,
  }
}

const textsOf = (args: readonly Arg[]): readonly string[] => args.map((arg) => arg.text ?? '')

const aroundArg = (arg: Arg): string => arg.text ?? arg.template ?? arg.prefix + MARK
