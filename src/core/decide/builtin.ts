import type { Invocation } from '../model/facts.js'
import type { DecideInput, Finding } from './scene.js'

/** A script for shell mode, or a program with its arguments for structured mode. */
export type Example = string | readonly [program: string, ...args: string[]]

/**
 * A denial that no allow rule lifts; a profile removes it only by its name in `builtins.removed`. Its id is `builtin/<name>`.
 * `hits` are refused because of it, `misses` are not: the tests run every one of them.
 */
export interface Builtin {
  readonly name: string
  /** Said after `Command not allowed: <program>.` */
  readonly because: string
  readonly instead: string
  readonly hits: readonly Example[]
  readonly misses: readonly Example[]
  /** Programs, in small letters, whose invocations `refuses` looks at; a trailing `*` takes any ending. */
  readonly programs?: readonly string[]
  /** Absent: every invocation of those programs. */
  readonly refuses?: (part: Invocation, input: DecideInput) => boolean
  /** Looks at a program nobody can name, or from a place anybody could have put it: what of it gives it away, or null. */
  readonly unmasks?: (part: Invocation, input: DecideInput) => Finding | null
  /** Looks at everything else in the facts. */
  readonly finds?: (input: DecideInput) => readonly Finding[]
}

/** A thousand times the same denial says no more than a few times, and comparing them all would take quadratic time. */
export const ENOUGH = 20

/** The arguments that are known, without the program. */
export const knownArgs = (part: Invocation): readonly string[] =>
  part.argv.slice(1).filter((arg): arg is string => typeof arg === 'string')
