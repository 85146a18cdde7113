import type { Span } from '../model/span.js'
import { known, notKnown } from './programs/arguments.js'
import { type Arg, MARK, type Source } from './programs/knowledge.js'

/** Text the reader knows, or a hole with what is known of it. */
export type Value = string | Hole

export interface Hole {
  readonly unknown: string
  readonly source: Source
  /** What is known to come first. */
  readonly head: string
  /** The pattern, when it stands for file names. */
  readonly glob?: string
  /** The file whose text it is. */
  readonly path?: string
  /** A name for it where it is a path that is not known, but the same each time: what `mktemp` made. */
  readonly place?: string
  /** Everything it can be, when that depends on a condition. */
  readonly options?: readonly string[]
  /** What stands before, between and behind what is not known, where anything does: text with a mark for each unknown part. */
  readonly around?: string
  /** Set in an array where it stands for any number of elements, or none. */
  readonly isMany?: true
}

/** Makes a value that is not known. Everything the analyser does not follow becomes one here: `what` it is, and the `reason`. */
export const unknown = (what: Source, reason: string, head = ''): Hole => ({ unknown: reason, source: what, head })

/** Any result of arithmetic. */
export const A_NUMBER: Hole = unknown('number', 'a number')

export const headOf = (value: Value): string => (typeof value === 'string' ? value : value.head)

/** Past this much text the reader stops following it: nothing honest is built from more. */
const FOLLOWED_CHARS = 262_144

/** One text after another. */
export function concat(first: Value, second: Value): Value {
  if (first === '') return second
  if (typeof first !== 'string') return second === '' ? first : after(first, second)
  if (first.length + headOf(second).length > FOLLOWED_CHARS) return unknown('made', 'more text than is followed')
  return typeof second === 'string' ? first + second : before(first, second)
}

/** The name of a place that is nothing but a path, whatever it is: evaluated again it is one word, and runs nothing. */
export const PLAIN_PLACE = 'mktemp-plain'

/** Text with a mark for each part of it that is not known. */
export const aroundOf = (value: Value): string =>
  typeof value === 'string' ? value : (value.around ?? value.head + MARK)

/** A hole with text before it. */
const before = (first: string, second: Hole): Hole => ({
  ...cutShort(second),
  around: aroundOf(first) + aroundOf(second),
  head: first + second.head,
  ...(second.place === undefined ? {} : { place: first + second.place }),
  ...(second.options === undefined ? {} : { options: second.options.map((option) => first + option) }),
})

/** A hole with more behind it. Of two holes the worse one tells what both are. */
function after(first: Hole, second: Value): Hole {
  const around = aroundOf(first) + aroundOf(second)
  if (around.length > FOLLOWED_CHARS) return unknown('made', 'more text than is followed')
  if (typeof second !== 'string') {
    return { unknown: first.unknown, head: first.head, around, ...bothOf(first, second) }
  }
  if (first.place === undefined && first.options === undefined)
    return { unknown: first.unknown, source: first.source, head: first.head, around }
  return {
    ...cutShort(first),
    around,
    ...(first.place === undefined ? {} : { place: first.place + second }),
    ...(first.options === undefined ? {} : { options: first.options.map((option) => option + second) }),
  }
}

/** Texts of two parts that are told apart. */
const TOLD_APART = 16

/** Says of two parts together what they are, and all that they can be where it is known of both and not too much. */
export function bothOf(first: Hole, second: Hole): Pick<Hole, 'source' | 'options'> {
  const source = worse(first.source, second.source)
  const [ours, theirs] = [first.options, second.options]
  if (!(ours && theirs)) return { source }
  // Text put together from so many pieces of the script's own is not meant to be read.
  if (ours.length * theirs.length > TOLD_APART) return { source: worse(source, 'made') }
  return { source, options: [...new Set(ours.flatMap((one) => theirs.map((other) => one + other)))] }
}

/** From what says least of a command to what says most. */
const BY_DANGER: readonly Source[] = [
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

export const worse = (a: Source, b: Source): Source => (BY_DANGER.indexOf(a) < BY_DANGER.indexOf(b) ? b : a)

/** A hole that is only a part of the text: it no longer stands for a file, a pattern or a choice. */
const cutShort = (value: Hole): Hole => ({ unknown: value.unknown, source: value.source, head: value.head })

/** Applies a text transformation to known text; a hole stays one. */
export const mapValue = (value: Value, change: (text: string) => string): Value =>
  typeof value === 'string' ? change(value) : { unknown: value.unknown, source: value.source, head: '' }

export const argValue = (arg: Arg): Value =>
  arg.text ?? {
    unknown: arg.unknown?.unknown ?? 'not known',
    source: arg.source ?? 'output',
    head: arg.head,
    ...(arg.unknown?.glob === undefined ? {} : { glob: arg.unknown.glob }),
    ...(arg.place === undefined ? {} : { place: arg.place }),
    ...(arg.options === undefined ? {} : { options: arg.options }),
    ...(arg.around === undefined ? {} : { around: arg.around }),
  }

/** The one argument that a value is between quotes. */
export function valueArg(value: Value, span: Span): Arg {
  if (typeof value === 'string') return known(value, span)
  const { unknown, glob, source, head } = value
  return notKnown(head, glob === undefined ? { unknown } : { unknown, glob }, source, false, span, value)
}
