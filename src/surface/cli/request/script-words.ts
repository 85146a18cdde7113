import { CordonError } from '../../../core/model/basics/errors.js'
import { LIMITS } from '../../../core/model/basics/limits.js'
import { shellLine } from '../../../core/model/run/display.js'
import type { Cli } from '../terminal/context.js'
import { readStdin } from './options.js'

/** The argument of every command that takes a script. */
export const SCRIPT_WORDS = [
  '<script...>',
  "a script as one argument, or a program and its arguments; '-' reads a script from standard input",
] as const

/** Matches words that cannot be a program's name and so are a whole script. */
const SCRIPT = /[\s;&|<>()$`"'\\]/

/**
 * Makes one script of the words of the command line: a single word is a script, several are a program and its
 * arguments, quoted so that bash reads them as they are. Throws INVALID_ARGUMENTS for a script followed by more
 * words.
 */
export async function scriptOf(
  words: readonly string[],
  options: { readonly stdin?: boolean },
  cli: Cli,
): Promise<string> {
  const [first = '', ...more] = words
  if (more.length > 0) return joined(first, more)
  if (first !== '-') return first
  if (options.stdin)
    throw new CordonError('INVALID_ARGUMENTS', "'-' and --stdin both want standard input. Use one of them.")
  return readStdin(cli.io, 'The script', LIMITS.stdinBytes)
}

function joined(program: string, args: readonly string[]): string {
  if (!SCRIPT.test(program)) return shellLine(program, args)
  const [next = ''] = args
  const fix = next.startsWith('-')
    ? `Put the options of Cordon before the script: cordon … ${next} -- '<script>'.`
    : "Quote the whole script as one argument: '<script>'."
  throw new CordonError('INVALID_ARGUMENTS', `A script is one argument, and ${JSON.stringify(next)} follows it. ${fix}`)
}
