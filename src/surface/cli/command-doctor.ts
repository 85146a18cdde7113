import type { Command } from 'commander'
import { type Cli, paintOut, sayJson, sayOut, withEngine } from './cli.js'
import type { Check } from './doors.js'
import { EXITS_OF_DOCTOR } from './exits.js'
import { addColor, addJson } from './options.js'
import type { Paint } from './paint.js'
import { reportFailure } from './report-failure.js'
import { visible } from './visible.js'

interface DoctorOptions {
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon doctor`: what this host can enforce, and what to do about what it cannot. */
export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('say what this host can enforce and how to mend the rest')
    .description('Checks everything Cordon needs on this host and starts a command in a sandbox.')
    .addHelpText('after', EXITS_OF_DOCTOR)
  addColor(addJson(command)).action(async (options: DoctorOptions) => {
    try {
      const checks = await withEngine(cli, async (engine) => engine.doctor())
      if (options.json) await sayJson(cli, checks)
      else await sayOut(cli, doctorText(checks, paintOut(cli, options)))
      cli.exit(checks.every(({ ok }) => ok) ? 0 : 1)
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

function doctorText(checks: readonly Check[], paint: Paint): string {
  const width = Math.max(...checks.map(({ name }) => name.length), 0)
  return checks
    .map(({ name, ok, detail, fix }) => {
      const line = `${ok ? paint.green('✔') : paint.red('✘')} ${name.padEnd(width)}  ${visible(detail)}\n`
      return ok || !fix ? line : `${line}  ${' '.repeat(width)}  ${paint.yellow(visible(fix))}\n`
    })
    .join('')
}
