import { Argument, type Command } from 'commander'
import { bashCompletion } from '../completion/bash.js'
import { fishCompletion } from '../completion/fish.js'
import { wordsOf } from '../completion/words.js'
import { zshCompletion } from '../completion/zsh.js'
import { type Cli, sayOut } from '../terminal/context.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

const INSTALLING = `
Install:
  bash  cordon completion bash > ~/.local/share/bash-completion/completions/cordon
  zsh   cordon completion zsh > "\${fpath[1]}/_cordon"
  fish  cordon completion fish > ~/.config/fish/completions/cordon.fish
`

/** `cordon completion <shell>`: a completion script, made from the very commands and options there are. */
export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a completion script.')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', INSTALLING + EXITS_OF_LOOKING)
    .action(async (shell: keyof typeof SCRIPTS) => {
      await sayOut(cli, SCRIPTS[shell](wordsOf(program)))
      cli.exit(0)
    })
}
