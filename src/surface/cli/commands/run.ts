import type { Command } from 'commander'
import { addRunningOptions, type RunningOptions } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { runCommand } from '../request/run-command.js'
import { SCRIPT_WORDS, scriptOf } from '../request/script-words.js'
import type { Cli } from '../terminal/context.js'
import { EXITS_OF_RUNNING } from '../text/exit-statuses.js'

/** `cordon run -- <script>` */
export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('run one shell command')
    .description("Runs a bash script under the profile, inside the sandbox. stdout and stderr are the command's own.")
    .argument(...SCRIPT_WORDS)
    .passThroughOptions()
    .addHelpText('after', EXITS_OF_RUNNING)
  addRunningOptions(command).action((words: readonly string[], options: RunningOptions) =>
    exitWith(cli, options, async () => {
      const script = await scriptOf(words, options, cli)
      return runCommand(cli, script, script, options)
    }),
  )
}
