import type { Command } from 'commander'
import { buildCommand } from '../../core/model/display.js'
import type { Cli } from './cli.js'
import { EXITS_OF_RUNNING } from './exits.js'
import { addRunningOptions, type RunningOptions } from './options.js'
import { perform } from './perform.js'

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
    cli.exit(await perform(cli, { program: name, args }, buildCommand(name, args), options))
  })
}
