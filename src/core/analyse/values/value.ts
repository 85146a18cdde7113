import type { Span } from '../../model/basics/span.js'
import { known, notKnown } from '../programs/grammar/arguments.js'
import { type Arg, MARK, type Origin } from '../programs/grammar/roles.js'

/** A known string, or an unknown value with the facts about it. */
export type Value = string | UnknownValue

export interface UnknownValue {
  readonly unknown: string
  readonly origin: Origin
  /** The known start of the value. */
  readonly prefix: string
  /** The glob, if the value stands for file names. */
  readonly glob?: string
  /** The file whose text this is. */
  readonly path?: string
  /** A name for an unknown path that is the same each time, such as one from `mktemp`. */
  readonly pathName?: string
  /** The possible values if a condition decides between them. */
  readonly alternatives?: readonly string[]
  /** The known text before, between and after the unknown parts, with a mark for each of those. */
  readonly template?: string
  /** Set in an array for a value that stands for any number of elements. */
  readonly isUncounted?: true
}

/** Makes an unknown value from its origin `what` and a description. All values that are not followed use it. */
export const unknown = (what: Origin, reason: string, prefix = ''): UnknownValue => ({
  unknown: reason,
  origin: what,
  prefix,
})

export const A_NUMBER: UnknownValue = unknown('number', 'a number')

export const prefixOf = (value: Value): string => (typeof value === 'string' ? value : value.prefix)

/** The maximum length of a followed text. Honest scripts build nothing longer. */
const FOLLOWED_CHARS = 262_144

export function concat(first: Value, second: Value): Value {
  if (first === '') return second
  if (typeof first !== 'string') return second === '' ? first : append(first, second)
  if (first.length + prefixOf(second).length > FOLLOWED_CHARS)
    return unknown('made', 'more text than the analyser follows')
  return typeof second === 'string' ? first + second : prepend(first, second)
}

/** The name of an unknown path without special characters. Expanded again, it stays one word and runs nothing. */
export const PLAIN_TEMPORARY = 'mktemp-plain'

/** Returns the text with a mark for each unknown part. */
export const templateOf = (value: Value): string =>
  typeof value === 'string' ? value : (value.template ?? value.prefix + MARK)

const prepend = (first: string, second: UnknownValue): UnknownValue => ({
  ...partOf(second),
  template: templateOf(first) + templateOf(second),
  prefix: first + second.prefix,
  ...(second.pathName === undefined ? {} : { pathName: first + second.pathName }),
  ...(second.alternatives === undefined ? {} : { alternatives: second.alternatives.map((option) => first + option) }),
})

/** Appends to an unknown value. Of two unknown values the more dangerous origin counts. */
function append(first: UnknownValue, second: Value): UnknownValue {
  const template = templateOf(first) + templateOf(second)
  if (template.length > FOLLOWED_CHARS) return unknown('made', 'more text than the analyser follows')
  if (typeof second !== 'string') {
    return { unknown: first.unknown, prefix: first.prefix, template, ...joinOrigins(first, second) }
  }
  if (first.pathName === undefined && first.alternatives === undefined)
    return { unknown: first.unknown, origin: first.origin, prefix: first.prefix, template }
  return {
    ...partOf(first),
    template,
    ...(first.pathName === undefined ? {} : { pathName: first.pathName + second }),
    ...(first.alternatives === undefined ? {} : { alternatives: first.alternatives.map((option) => option + second) }),
  }
}

/** The maximum number of combined alternatives. */
const MAX_ALTERNATIVES = 16

/** Returns the joint origin of two parts, and their combined alternatives if both are known and few. */
export function joinOrigins(first: UnknownValue, second: UnknownValue): Pick<UnknownValue, 'origin' | 'alternatives'> {
  const origin = worse(first.origin, second.origin)
  const [left, right] = [first.alternatives, second.alternatives]
  if (!(left && right)) return { origin }
  // Honest scripts do not combine this many of their own pieces.
  if (left.length * right.length > MAX_ALTERNATIVES) return { origin: worse(origin, 'made') }
  return { origin, alternatives: [...new Set(left.flatMap((one) => right.map((other) => one + other)))] }
}

/** Origins in ascending order of danger. */
const BY_DANGER: readonly Origin[] = [
  'number',
  'condition',
  'files',
  'environment',
  'output',
  'input',
  'unpacked',
  'made',
  'decoded',
  'download',
]

export const worse = (a: Origin, b: Origin): Origin => (BY_DANGER.indexOf(a) < BY_DANGER.indexOf(b) ? b : a)

/** Returns an unknown value that is only a part of a text: it no longer stands for a file, a glob or alternatives. */
const partOf = (value: UnknownValue): UnknownValue => ({
  unknown: value.unknown,
  origin: value.origin,
  prefix: value.prefix,
})

/** Transforms known text; an unknown value stays unknown. */
export const mapValue = (value: Value, change: (text: string) => string): Value =>
  typeof value === 'string' ? change(value) : { unknown: value.unknown, origin: value.origin, prefix: '' }

export const argValue = (arg: Arg): Value =>
  arg.text ?? {
    unknown: arg.unknown?.unknown ?? 'an unknown value',
    origin: arg.origin ?? 'output',
    prefix: arg.prefix,
    ...(arg.unknown?.glob === undefined ? {} : { glob: arg.unknown.glob }),
    ...(arg.pathName === undefined ? {} : { pathName: arg.pathName }),
    ...(arg.alternatives === undefined ? {} : { alternatives: arg.alternatives }),
    ...(arg.template === undefined ? {} : { template: arg.template }),
  }

/** Converts a value to one quoted argument. */
export function valueArg(value: Value, span: Span): Arg {
  if (typeof value === 'string') return known(value, span)
  const { unknown, glob, prefix } = value
  return notKnown(prefix, glob === undefined ? { unknown } : { unknown, glob }, false, span, value)
}
