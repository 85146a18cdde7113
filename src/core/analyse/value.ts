import type { Arg, Source } from './programs/knowledge.js'

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
  /** The command line of the program that printed it, which may print words of it. */
  readonly said?: readonly Arg[]
  /** A name for it where it is a path that is not known, but the same each time: what `mktemp` made. */
  readonly place?: string
  /** Everything it can be, when that depends on a condition. */
  readonly options?: readonly string[]
  /** What stands before, between and behind what is not known, where anything does. */
  readonly around?: readonly string[]
}

export const hole = (unknown: string, source: Source, head = ''): Hole => ({ unknown, source, head })

export const headOf = (value: Value): string => (typeof value === 'string' ? value : value.head)

/** Past this much text the reader stops following it: nothing honest is built from more. */
const FOLLOWED_CHARS = 262_144

/** One text after another. Behind a hole nothing is kept. */
export function concat(first: Value, second: Value): Value {
  if (first === '') return second
  if (typeof first !== 'string') return second === '' ? first : after(first, second)
  if (first.length + headOf(second).length > FOLLOWED_CHARS) return hole('more text than is followed', 'lost')
  return typeof second === 'string' ? first + second : before(first, second)
}

/** Pieces of text around holes that are kept. Nobody hides a command in more. */
export const AROUND_PIECES = 16
const PIECE_CHARS = 8_192

/** What stands around the unknown parts of text, where that is kept. */
const aroundOf = (value: Hole): readonly string[] => value.around ?? [value.head, '']

/** One after another, with what is not known between the pieces. */
export function joinedAround(first: Value, second: Value): readonly string[] | null {
  const a = typeof first === 'string' ? [first] : aroundOf(first)
  const b = typeof second === 'string' ? [second] : aroundOf(second)
  if (a.length + b.length > AROUND_PIECES) return null
  const glued = (a.at(-1) ?? '') + (b[0] ?? '')
  return glued.length > PIECE_CHARS ? null : [...a.slice(0, -1), glued, ...b.slice(1)]
}

const withAround = (first: Value, second: Value): Pick<Hole, 'around'> => {
  const around = joinedAround(first, second)
  return around === null ? {} : { around }
}

/** A hole with text before it. */
const before = (first: string, second: Hole): Hole => ({
  ...cutShort(second),
  ...withAround(first, second),
  head: first + second.head,
  ...(second.place === undefined ? {} : { place: first + second.place }),
  ...(second.options === undefined ? {} : { options: second.options.map((option) => first + option) }),
})

/** A hole with more behind it. */
const after = (first: Hole, second: Value): Hole =>
  typeof second === 'string' && (first.place !== undefined || first.options !== undefined)
    ? {
        ...cutShort(first),
        ...withAround(first, second),
        ...(first.place === undefined ? {} : { place: first.place + second }),
        ...(first.options === undefined ? {} : { options: first.options.map((option) => option + second) }),
      }
    : { ...cutShort(first), ...withAround(first, second) }

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
    ...(arg.said === undefined ? {} : { said: arg.said }),
    ...(arg.place === undefined ? {} : { place: arg.place }),
    ...(arg.options === undefined ? {} : { options: arg.options }),
    ...(arg.around === undefined ? {} : { around: arg.around }),
  }
