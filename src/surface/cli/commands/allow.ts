import type { Command } from 'commander'
import { CordonError } from '../../../core/model/basics/errors.js'
import { addColor } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, sayOut } from '../terminal/context.js'
import type { AllowRequest } from '../terminal/dependencies.js'
import { visibleLines } from '../terminal/visible-text.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'

interface AllowOptions {
  readonly profile?: string
  readonly read?: boolean
  readonly color: boolean
}

const KINDS: readonly (readonly [
  what: AllowRequest['what'],
  argument: string,
  summary: string,
  description: string,
])[] = [
  [
    'host',
    '<host...>',
    'let commands reach a host',
    'Adds hosts to `network.hosts`: example.com, example.com:8443, *.example.com, localhost:5432.',
  ],
  [
    'path',
    '<path...>',
    'let commands write a path, or read it with --read',
    'Adds files or directories to `paths.writable`, with --read to `paths.readable`. Hidden paths are refused, and protected ones for writing.',
  ],
  [
    'program',
    '<word...>',
    'stop asking about a program',
    'Adds an allow rule for a program with these first arguments: git push, terraform plan. In a profile with a list of programs, adds the program to `programs.allow_only`.',
  ],
  [
    'rule',
    '<name...>',
    'lift a built-in rule',
    'Adds the names of built-in rules to `builtins.removed`: sudo, nc-exec.',
  ],
]

/** `cordon allow host|path|program|rule`: a person's own line in his settings. */
export function addAllow(program: Command, cli: Cli): void {
  const allow = program
    .command('allow')
    .summary('allow a host, a path, a program or a rule, in your own settings')
    .description('Writes the narrowest line into your settings and shows it. Only a person at a terminal can use it.')
    .addHelpText('after', EXITS_OF_LOOKING)
  for (const [what, argument, summary, description] of KINDS) {
    const command = allow
      .command(what)
      .summary(summary)
      .description(description)
      .argument(argument)
      .option('--profile <name>', 'the profile to change; default: the one of requests that name none')
    if (what === 'path') command.option('--read', 'let commands read it only')
    addColor(command).action((words: readonly string[], options: AllowOptions) => act(cli, what, words, options))
  }
}

async function act(
  cli: Cli,
  what: AllowRequest['what'],
  words: readonly string[],
  options: AllowOptions,
): Promise<void> {
  const { io } = cli
  await exitWith(cli, options, async () => {
    if (io.stdin.isTTY !== true || io.stderr.isTTY !== true)
      throw new CordonError('INVALID_ARGUMENTS', 'Only a person can allow something: run `cordon allow` at a terminal.')
    const { profile, file, lines } = await cli.allow({
      what,
      words,
      read: options.read === true,
      profile: options.profile,
      workspace: io.cwd,
    })
    await sayOut(
      cli,
      lines === null
        ? `The profile "${profile}" allows it already.\n`
        : `${visibleLines(lines)}\nWritten to ${visibleLines(file)}, for the profile "${profile}".\n`,
    )
  })
}
