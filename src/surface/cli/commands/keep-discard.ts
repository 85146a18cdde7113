import type { Command } from 'commander'
import { shortId } from '../../../core/model/basics/id.js'
import type { Settlement } from '../../../engine/ports/ports.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintErr, sayErr, sayJson, withEngine } from '../terminal/context.js'
import { visible } from '../terminal/visible-text.js'
import { countsText } from '../text/changes.js'
import { EXITS_OF_DISCARD, EXITS_OF_KEEP } from '../text/exit-statuses.js'

interface SettleOptions {
  readonly json?: boolean
  readonly color: boolean
}

type Verdict = 'keep' | 'discard'

/** `cordon keep <id> [path…]`: what was held for review counts from now on. */
export function addKeep(program: Command, cli: Cli): void {
  const command = program
    .command('keep')
    .summary('keep changes that wait for a review')
    .description(
      "Applies the changes of a transaction that is held for review, that met a conflict, or whose files were restored. With paths only those are kept, and the rest is discarded. 'cordon undo <id>' takes it back.",
    )
    .addHelpText('after', EXITS_OF_KEEP)
  addSettling(command, cli, 'keep')
}

/** `cordon discard <id> [path…]`: what was held for review never happened. */
export function addDiscard(program: Command, cli: Cli): void {
  const command = program
    .command('discard')
    .summary('discard changes that wait for a review')
    .description(
      'Drops the changes of a transaction that is held for review, or of one that met a conflict. With paths only those are dropped, and the rest goes on waiting. This cannot be undone.',
    )
    .addHelpText('after', EXITS_OF_DISCARD)
  addSettling(command, cli, 'discard')
}

function addSettling(command: Command, cli: Cli, verdict: Verdict): void {
  command
    .argument('<id>', "the id of the transaction, or a beginning of it; 'cordon history' lists those that wait")
    .argument('[path...]', 'only these files, and what is below them')
  addColor(addJson(command)).action((id: string, paths: readonly string[], options: SettleOptions) =>
    exitWith(cli, options, async () => {
      const { here, ...settlement } = await withEngine(cli, async ({ transactions }) => ({
        ...(await transactions.settle(id, verdict, paths.length > 0 ? paths : undefined)),
        here: transactions.here(),
      }))
      const { record, conflicts } = settlement
      if (options.json) await sayJson(cli, { ...record, conflicts })
      else await say(cli, verdict, settlement, { ...options, here })
      return conflicts.length > 0 ? 1 : 0
    }),
  )
}

async function say(
  cli: Cli,
  verdict: Verdict,
  { record, conflicts }: Settlement,
  options: SettleOptions & { readonly here: string },
): Promise<void> {
  const paint = paintErr(cli, options)
  const place = record.workspace === options.here ? '' : ` in ${visible(record.workspace)}`
  const { id, state, changes } = record
  const counts = countsText(changes.counts)
  if (conflicts.length > 0) {
    const named = conflicts.map((path) => `  ${visible(path)}\n`).join('')
    await sayErr(
      cli,
      `${paint.red('✘')} Not kept, nothing was changed: these are no longer as the command found them.\n${named}`,
    )
  } else if (verdict === 'keep') {
    await sayErr(
      cli,
      `${paint.green('✔')} Kept ${shortId(id)}${place}: ${counts}. To take it back: cordon undo ${shortId(id)}\n`,
    )
  } else if (state === 'discarded') {
    await sayErr(cli, `${paint.yellow('✘')} Discarded ${shortId(id)}${place}: the files are as they were.\n`)
  } else await sayErr(cli, `${paint.yellow('✘')} Discarded these; ${shortId(id)} goes on waiting with ${counts}.\n`)
}
