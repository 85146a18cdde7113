import type { Invocation } from '../../model/run/facts.js'
import type { DecideInput, Finding } from '../match/input.js'

/** A script for shell mode, or a program with its arguments for structured mode. */
export type Example = string | readonly [program: string, ...args: string[]]

/**
 * A denial that no allow rule lifts. A profile removes it only by its name in `builtins.removed`. Its id is
 * `builtin/<name>`. Tests check that it refuses all `hits` and none of the `misses`.
 */
export interface Builtin {
  readonly name: string
  /** Reason, shown after `Command not allowed: <program>.` */
  readonly because: string
  readonly instead: string
  readonly hits: readonly Example[]
  readonly misses: readonly Example[]
  /** Lower-case names of the programs that `refuses` judges. A trailing `*` matches any ending. */
  readonly programs?: readonly string[]
  /** Absent: every invocation of those programs. */
  readonly refuses?: (part: Invocation, input: DecideInput) => boolean
  /** Judges a program without a known or trusted name by its arguments; null if they are harmless. */
  readonly judgesUnknown?: (part: Invocation, input: DecideInput) => Finding | null
  /** Judges the other facts. */
  readonly finds?: (input: DecideInput) => readonly Finding[]
}

/** Limit of matches for one denial. More would add no information and cost quadratic time. */
export const MAX_MATCHES = 20

/** The arguments that are known, without the program. */
export const knownArgs = (part: Invocation): readonly string[] =>
  part.argv.slice(1).filter((arg): arg is string => typeof arg === 'string')
