import type { Command } from 'commander'
import { shellLine } from '../../../core/model/run/display.js'
import { addRunningOptions, type RunningOptions } from '../request/options.js'
import { runCommand } from '../request/run-command.js'
import type { Cli } from '../terminal/context.js'
import { EXITS_OF_RUNNING } from '../text/exit-statuses.js'

/** `cordon exec -- <program> [args…]` */
export function addExec(program: Command, cli: Cli): void {
  const command = program
    .command('exec')
    .summary('run one program with arguments, no shell in between')
    .description('Runs a program with its arguments as they are: no shell reads them, so `; rm -rf /` is just a text.')
    .argument('<program>', 'the bare name of the program')
    .argument('[args...]', 'its arguments')
    .passThroughOptions()
    .addHelpText('after', EXITS_OF_RUNNING)
  addRunningOptions(command).action(async (name: string, args: readonly string[], options: RunningOptions) => {
    cli.exit(await runCommand(cli, { program: name, args }, shellLine(name, args), options))
  })
}
