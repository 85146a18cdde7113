import type { Command } from 'commander'
import { CordonError, ERRORS } from '../../../core/model/basics/errors.js'
import { shellLine } from '../../../core/model/run/display.js'
import type { CheckResult, CommandInput } from '../../../engine/api.js'
import { addRequestOptions, runOptions, type SharedOptions } from '../request/options.js'
import { reportFailure } from '../request/report-failure.js'
import { SCRIPT_WORDS, scriptOf } from '../request/script-words.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import { EXITS_OF_CHECK } from '../text/exit-statuses.js'
import { checkText } from '../text/explanation.js'

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
    .argument(...SCRIPT_WORDS)
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
    text = typeof input === 'string' ? input : shellLine(input.program, input.args ?? [])
    const checked = await withEngine(cli, async (engine) => engine.check(input, runOptions(options)))
    if (options.json) await sayJson(cli, checkJson(checked))
    else await sayOut(cli, checkText(checked, paintOut(cli, options), columnsOf(cli.io)))
    return checked.unenforceable ? ERRORS[checked.unenforceable.code].exit : EXIT[checked.verdict]
  } catch (thrown) {
    return reportFailure(cli, thrown, options, text)
  }
}

function structured(words: readonly string[]): Exclude<CommandInput, string> {
  const [program, ...args] = words
  if (program === undefined) throw new CordonError('INVALID_ARGUMENTS', 'Name a program to check.')
  return { program, args }
}

/** The wire form of a check. `unenforceable` is there only when this host could not enforce the plan. */
const checkJson = ({ verdict, because, facts, plan, unenforceable }: CheckResult) => ({
  verdict,
  because,
  facts,
  plan,
  ...(unenforceable ? { unenforceable } : {}),
})
