import type { Command } from 'commander'
import type { Cli } from './cli.js'
import { EXITS_OF_RUNNING } from './exits.js'
import { addRunningOptions, type RunningOptions } from './options.js'
import { perform } from './perform.js'
import { reportFailure } from './report-failure.js'
import { SCRIPT_WORDS, scriptOf } from './script-words.js'

/** `cordon run -- <script>` */
export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('run one shell command')
    .description("Runs a bash script under the profile, inside the sandbox. stdout and stderr are the command's own.")
    .argument(...SCRIPT_WORDS)
    .passThroughOptions()
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
