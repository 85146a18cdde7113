/**
 * `progress`: the state of something under way. `detail`: true and harmless, and of no use once the command
 * succeeded.
 */
export interface Noise {
  readonly kind: 'progress' | 'detail'
  /** The kind of line, in the plural: `passing tests`. */
  readonly what: string
}

/**
 * Knowledge of what one family of programs prints. A filter only proposes; what really goes is decided by the law,
 * and it never sees the exit code.
 */
export interface Filter {
  readonly name: string
  matches(argv: readonly string[]): boolean
  /** For each line, why it may go, or null. */
  propose(lines: readonly string[], argv: readonly string[]): readonly (Noise | null)[]
  /** Does this look like that program's output as we know it? */
  recognises(lines: readonly string[]): boolean
}

export const progress = (what: string): Noise => ({ kind: 'progress', what })
export const detail = (what: string): Noise => ({ kind: 'detail', what })

/** The first pattern that fits names the noise. */
export function proposeBy(table: readonly (readonly [RegExp, Noise])[]): (line: string) => Noise | null {
  return (line) => table.find(([pattern]) => pattern.test(line))?.[1] ?? null
}
