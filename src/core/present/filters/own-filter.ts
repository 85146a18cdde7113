import { detail, type Filter } from './filter.js'

/** An output filter of the program that uses Cordon. */
export interface OwnFilter {
  /** The first words of the commands it is for: `terraform plan`. */
  readonly match: string
  /** Lines that fit one of these may go when the command succeeds. A line that looks like a failure never goes. */
  readonly drop: readonly RegExp[]
  /** Name in filter statistics. Default: `match`. */
  readonly name?: string | undefined
  /** The kind of line, in the plural, for the note that says what was dropped. Default: `lines`. */
  readonly what?: string | undefined
}

/** Makes a filter under the law of all filters: it proposes, and the law decides what goes. */
export function ownFilter({ match, drop, name = match, what = 'lines' }: OwnFilter): Filter {
  const words = match.trim().split(/\s+/)
  // A pattern with `g` or `y` goes on where it stopped in the line before.
  const patterns = drop.map((one) => new RegExp(one.source, one.flags.replaceAll(/[gy]/g, '')))
  const isNoise = (line: string): boolean => patterns.some((pattern) => pattern.test(line))
  return {
    name,
    matches: (argv) => words.every((word, i) => argv[i] === word),
    propose: (lines) => lines.map((line) => (isNoise(line) ? detail(what) : null)),
    recognises: (lines) => lines.some(isNoise),
  }
}
