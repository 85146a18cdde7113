import type { Command } from 'commander'
import { addColor, addJson } from '../request/options.js'
import { askLine } from '../request/prompt-approval.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintOut, sayErr, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { PrivateHomeSummary, WhichHomes } from '../terminal/dependencies.js'
import type { Paint } from '../terminal/style.js'
import { visible } from '../terminal/visible-text.js'
import { sizeText } from '../text/changes.js'
import { EXITS_OF_HOME_RESET, EXITS_OF_LOOKING } from '../text/exit-statuses.js'

interface HomeOptions {
  readonly profile?: string
  readonly all?: boolean
  readonly json?: boolean
  readonly color: boolean
}

interface ResetOptions extends HomeOptions {
  readonly yes?: boolean
}

const MOST_ENTRIES = 12

/** `cordon home` and `cordon home reset`: the private homes of commands. */
export function addHome(program: Command, cli: Cli): void {
  const command = program
    .command('home')
    .summary('show or empty the private home of commands')
    .description(
      'Shows the private homes of this workspace: what commands keep at ~ and in /tmp between runs. Each profile has its own.',
    )
    .addHelpText('after', EXITS_OF_LOOKING)
  addChoice(command).action((options: HomeOptions) => show(cli, options))
  const reset = command
    .command('reset')
    .summary('empty the private home')
    .description('Removes what commands keep at ~ and in /tmp. The real home is not touched. This cannot be undone.')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXITS_OF_HOME_RESET)
  addChoice(reset).action(() => resetHomes(cli, reset.optsWithGlobals()))
}

const addChoice = (command: Command): Command =>
  addColor(
    addJson(
      command
        .option('--profile <name>', 'only the home of this profile')
        .option('--all', 'the homes of every workspace'),
    ),
  )

const chosen = ({ profile, all }: HomeOptions): WhichHomes => ({ profile: profile ?? null, all: all ?? false })

function show(cli: Cli, options: HomeOptions): Promise<void> {
  return exitWith(cli, options, async () => {
    const homes = await withEngine(cli, (engine) => engine.homes.list(chosen(options)))
    if (options.json) await sayJson(cli, homes)
    else await sayOut(cli, homesText(homes, paintOut(cli, options)))
  })
}

const resetHomes = (cli: Cli, options: ResetOptions): Promise<void> =>
  exitWith(cli, options, () =>
    withEngine(cli, async ({ homes }) => {
      const found = await homes.list(chosen(options))
      const isAgreed = found.length === 0 || options.yes === true || (await agreed(cli, found, options))
      const removed = isAgreed ? homes.reset(chosen(options)) : []
      if (options.json) await sayJson(cli, { removed })
      else if (isAgreed) await sayErr(cli, resetText(found))
      else await sayErr(cli, 'Nothing was removed. Use --yes to remove it without a question.\n')
      return isAgreed ? 0 : 1
    }),
  )

async function agreed(cli: Cli, homes: readonly PrivateHomeSummary[], options: HomeOptions): Promise<boolean> {
  if (!cli.io.stdin.isTTY || options.json) return false
  await sayErr(cli, homesText(homes, paintOut(cli, options)))
  const stop = new AbortController()
  const answer = await askLine(cli, 'Remove all of this? [y/N] ', stop.signal, () => stop.abort())
  return /^y(es)?$/i.test(answer.trim())
}

const total = (homes: readonly PrivateHomeSummary[]): number => homes.reduce((sum, { bytes }) => sum + bytes, 0)

const resetText = (homes: readonly PrivateHomeSummary[]): string =>
  homes.length === 0
    ? 'There is no private home here yet.\n'
    : `Removed ${homes.length === 1 ? 'the private home' : `${homes.length} private homes`}: ${sizeText(total(homes))}.\n`

const timeText = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

function homesText(homes: readonly PrivateHomeSummary[], paint: Paint): string {
  if (homes.length === 0) return 'There is no private home here yet. The first command in the sandbox makes one.\n'
  return homes.map((home) => homeText(home, paint)).join('\n')
}

function homeText(home: PrivateHomeSummary, paint: Paint): string {
  const { profile, workspace, path, bytes, files, tmpBytes, lastUsed, inUseBy, entries } = home
  const used =
    inUseBy.length > 0 ? `in use by process ${inUseBy.join(', ')}` : `last used ${timeText(lastUsed ?? '-')}Z`
  const shown = entries.slice(0, MOST_ENTRIES)
  const rows = [...shown.map((entry) => [`~/${entry.name}`, entry.bytes] as const), ['/tmp', tmpBytes] as const]
  const more = entries.length - shown.length
  return [
    `${paint.bold(profile)}  ${visible(workspace)}`,
    paint.dim(`  ${visible(path)}`),
    `  ${sizeText(bytes)} in ${files} files, ${used}`,
    ...rows.map(([name, size]) => `  ${sizeText(size).padStart(10)}  ${visible(name)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ].join('\n')
}
