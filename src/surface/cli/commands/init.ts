import { type Command, Option } from 'commander'
import { addColor, addJson } from '../request/options.js'
import { askLine } from '../request/prompt-approval.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintErr, paintOut, sayErr, sayJson, sayOut } from '../terminal/context.js'
import type { AgentChanges, Check } from '../terminal/dependencies.js'
import { visible } from '../terminal/visible-text.js'
import { EXITS_OF_INIT } from '../text/exit-statuses.js'
import { doctorText } from './doctor.js'

interface InitOptions {
  readonly yes?: boolean
  readonly uninstall?: boolean
  readonly managed?: boolean
  readonly root?: string
  readonly trustCodexHook?: boolean
  readonly import: boolean
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon init`: puts Cordon in front of the agents on this machine, and takes it out again. */
export function addInit(program: Command, cli: Cli): void {
  const command = program
    .command('init')
    .summary('guard the agents on this machine')
    .description(
      'Finds the agents, shows each edit of their settings as a diff, makes it after a yes, and fires the registered hook.',
    )
    .argument('[agent...]', 'agents by name; all that are found where there is none')
    .option('--yes', 'make the edits without asking')
    .option('--uninstall', 'put every file back as it was')
    .option('--managed', "write the administrators' files, which users cannot change, and /etc/cordon/cordon.toml")
    .addOption(new Option('--root <directory>', 'with --managed: write below this directory').default('/'))
    .option('--trust-codex-hook', 'tell Codex, in your name, that you trust the hook')
    .option('--no-import', 'leave the permissions of the agents where they are')
    .addHelpText('after', EXITS_OF_INIT)
  addColor(addJson(command)).action((agents: readonly string[], options: InitOptions) =>
    exitWith(cli, options, async () => {
      return init(cli, agents, options)
    }),
  )
}

async function init(cli: Cli, only: readonly string[], options: InitOptions): Promise<number> {
  const { env, cwd } = cli.io
  const changes: AgentChanges = await cli.agentChanges({
    env,
    cwd,
    only,
    uninstall: options.uninstall === true,
    managedRoot: options.managed ? (options.root ?? '/') : null,
    trustCodex: options.trustCodexHook === true,
    importPermissions: options.import,
  })
  if (!options.json) await show(cli, changes)
  const mayChange = changes.diffs.length === 0 || (await isAgreed(cli, options))
  const findings: readonly Check[] = mayChange ? await changes.apply() : []
  if (options.json) await sayJson(cli, { ...changes, applied: mayChange, findings })
  else if (mayChange) await sayOut(cli, doctorText(findings, paintOut(cli, options)))
  else await sayErr(cli, 'Nothing was changed. `cordon init --yes` makes these edits.\n')
  return mayChange && findings.every(({ ok }) => ok) ? 0 : 1
}

async function show(cli: Cli, { agents, diffs, notes }: AgentChanges): Promise<void> {
  const found = agents.map(({ name, version, program }) =>
    [name, version, program].filter((part) => part !== null).join('  '),
  )
  const shown = diffs.map((diff) => diff.split('\n').map(visible).join('\n'))
  const lines = [
    ...(found.length === 0 ? [] : ['Found:', ...found.map((line) => `  ${visible(line)}`), '']),
    ...shown,
    ...(diffs.length === 0 ? ['Nothing to change.'] : []),
    ...notes.map((note) => `! ${visible(note)}`),
  ]
  await sayOut(cli, `${lines.join('\n')}\n`)
}

async function isAgreed(cli: Cli, options: InitOptions): Promise<boolean> {
  if (options.yes) return true
  const { stdin, stderr } = cli.io
  if (stdin.isTTY !== true || stderr.isTTY !== true) return false
  const stop = new AbortController()
  const question = paintErr(cli, options).bold('Make these edits? [y/N] ')
  return /^y(es)?$/i.test((await askLine(cli, question, stop.signal, () => stop.abort())).trim())
}
