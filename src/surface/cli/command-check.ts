import type { Command } from 'commander'
import { buildCommand } from '../../core/model/display.js'
import { CordonError } from '../../core/model/errors.js'
import type { CommandInput, Explanation } from '../../engine/api.js'
import { checkText } from './check-text.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from './cli.js'
import { scriptOf } from './command-run.js'
import { EXITS_OF_CHECK } from './exits.js'
import { addRequestOptions, runOptions, type SharedOptions } from './options.js'
import { reportFailure } from './report-failure.js'

interface CheckOptions extends SharedOptions {
  readonly exec?: boolean
}

const EXIT = { allow: 0, ask: 10, deny: 20 } as const

/** `cordon check -- <script>`: what it would do and what the profile says of it. */
export function addCheck(program: Command, cli: Cli): void {
  const command = program
    .command('check')
    .summary('say what a command would do and whether it may; run nothing')
    .description(
      'Reads a script as bash would and shows the verdict for each part, its rule, and the plan. Runs nothing.',
    )
    .argument('<script...>', "the script, as one argument; '-' reads it from standard input")
    .option('--exec', 'a program with its arguments instead of a script')
    .passThroughOptions()
    .addHelpText('after', EXITS_OF_CHECK)
  addRequestOptions(command).action(async (words: readonly string[], options: CheckOptions) => {
    cli.exit(await check(cli, words, options))
  })
}

async function check(cli: Cli, words: readonly string[], options: CheckOptions): Promise<number> {
  let text = ''
  try {
    const input = options.exec ? structured(words) : await scriptOf(words, {}, cli)
    text = typeof input === 'string' ? input : buildCommand(input.program, input.args ?? [])
    const explanation = await withEngine(cli, async (engine) => engine.explain(input, runOptions(options)))
    if (options.json) await sayJson(cli, checkJson(explanation))
    else await sayOut(cli, checkText(explanation, paintOut(cli, options), columnsOf(cli.io)))
    return explanation.unenforceable ? 125 : EXIT[explanation.verdict]
  } catch (thrown) {
    return reportFailure(cli, thrown, options, text)
  }
}

function structured(words: readonly string[]): Exclude<CommandInput, string> {
  const [program, ...args] = words
  if (program === undefined) throw new CordonError('INVALID_ARGUMENTS', 'Name a program to check.')
  return { program, args }
}

/** The wire form of an explanation. `unenforceable` is there only when this host could not enforce the plan. */
const checkJson = ({ verdict, because, facts, plan, unenforceable }: Explanation) => ({
  verdict,
  because,
  facts,
  plan,
  ...(unenforceable ? { unenforceable } : {}),
})
