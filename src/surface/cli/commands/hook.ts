import type { Command } from 'commander'
import type { Cli } from '../terminal/context.js'

/**
 * `cordon hook [agent]`: `src/bin.ts` starts the hook itself, which loads faster without the other commands. This is
 * its help.
 */
export function addHook(program: Command, cli: Cli): void {
  program
    .command('hook')
    .summary("answer an agent's hook, on stdin and stdout")
    .description(
      'Reads the JSON that an agent sends to its hook before it runs a command or writes a file, and prints the answer in the form of that agent.',
    )
    .argument('[agent]', 'the agent that calls; without it, it is told by the fields of the JSON')
    .addHelpText(
      'after',
      '\nExit status:\n  0     answered; no output is no opinion\n  2     refused, with the reason on stderr\n',
    )
    .action(() => cli.exit(2))
}
