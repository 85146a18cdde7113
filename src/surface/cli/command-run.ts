import type { Command } from 'commander'
import { CordonError } from '../../core/model/errors.js'
import { LIMITS } from '../../core/model/limits.js'
import type { Cli } from './cli.js'
import { EXITS_OF_RUNNING } from './exits.js'
import { addRunningOptions, type RunningOptions, readStdin } from './options.js'
import { perform } from './perform.js'
import { reportFailure } from './report-failure.js'

/** `cordon run -- <script>` */
export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('run one shell command')
    .description("Runs a bash script under the profile, inside the sandbox. stdout and stderr are the command's own.")
    .argument('<script...>', "the script, as one argument; '-' reads it from standard input")
    .addHelpText('after', EXITS_OF_RUNNING)
  addRunningOptions(command).action(async (words: readonly string[], options: RunningOptions) => {
    try {
      const script = await scriptOf(words, options, cli)
      cli.exit(await perform(cli, script, script, options))
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

/** One script. Several words would have to be glued with spaces, and bash would read something else than was typed. */
export async function scriptOf(
  words: readonly string[],
  options: { readonly stdin?: boolean },
  cli: Cli,
): Promise<string> {
  const [script = '', ...more] = words
  if (more.length > 0) {
    throw new CordonError(
      'INVALID_ARGUMENTS',
      "A script is one argument: quote it ('…'), or use 'cordon exec -- <program> [args…]' for a program with arguments.",
    )
  }
  if (script !== '-') return script
  if (options.stdin)
    throw new CordonError('INVALID_ARGUMENTS', "'-' and --stdin both want standard input. Use one of them.")
  return readStdin(cli.io, 'The script', LIMITS.stdinBytes)
}
