import type { Command } from 'commander'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { Check } from '../terminal/dependencies.js'
import type { Paint } from '../terminal/style.js'
import { visible } from '../terminal/visible-text.js'
import { EXITS_OF_DOCTOR } from '../text/exit-statuses.js'

interface DoctorOptions {
  readonly agents?: boolean
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon doctor`: what this host can enforce, and what to do about what it cannot. */
export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('say what this host can enforce and how to mend the rest')
    .description('Checks everything Cordon needs on this host and starts a command in a sandbox.')
    .option('--agents', 'look at the agents instead: registered, trusted, fires, fails closed')
    .addHelpText('after', EXITS_OF_DOCTOR)
  addColor(addJson(command)).action((options: DoctorOptions) =>
    exitWith(cli, options, async () => {
      const { env, cwd } = cli.io
      const checks = options.agents
        ? await cli.examineAgents({ env, cwd })
        : await withEngine(cli, async (engine) => engine.doctor())
      if (options.json) await sayJson(cli, checks)
      else await sayOut(cli, doctorText(checks, paintOut(cli, options)))
      return checks.every(({ ok }) => ok) ? 0 : 1
    }),
  )
}

/** One line for each finding, with what to do about it. */
export function doctorText(checks: readonly Check[], paint: Paint): string {
  const width = Math.max(...checks.map(({ name }) => name.length), 0)
  return checks
    .map(({ name, ok, detail, fix }) => {
      const line = `${ok ? paint.green('✔') : paint.red('✘')} ${name.padEnd(width)}  ${visible(detail)}\n`
      return ok || !fix ? line : `${line}  ${' '.repeat(width)}  ${paint.yellow(visible(fix))}\n`
    })
    .join('')
}
