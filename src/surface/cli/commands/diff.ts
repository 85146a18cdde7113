import type { Command } from 'commander'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { TransactionRecord } from '../../../core/model/run/change.js'
import { diffToWire } from '../../../core/present/wire.js'
import type { PastTransactions } from '../../../engine/ports/ports.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintOut, sayErr, sayJson, withEngine } from '../terminal/context.js'
import { sayPaged } from '../terminal/page.js'
import { visible } from '../terminal/visible-text.js'
import { diffsText, summaryText } from '../text/changes.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'

interface DiffOptions {
  readonly stat?: boolean
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon diff <id> [path…]`: what a past command changed. */
export function addDiff(program: Command, cli: Cli): void {
  const command = program
    .command('diff')
    .summary('show what a past command changed')
    .description(
      "Shows the changes of a transaction: a summary, then each file. Without an id, of the last one here. 'cordon history' lists the ids.",
    )
    .argument('[id]', 'the id of the transaction, or a beginning of it')
    .argument('[path...]', 'only these files, and what is below them')
    .option('--stat', 'the summary alone')
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action(
    async (given: string | undefined, paths: readonly string[], options: DiffOptions) => {
      await exitWith(cli, options, async () => {
        await withEngine(cli, async ({ transactions }) => {
          const { id, workspace } = given === undefined ? lastOf(transactions) : transactions.get(given)
          if (!options.json && workspace !== transactions.here()) await sayErr(cli, `In ${visible(workspace)}:\n`)
          const diffs = transactions.diff(id, paths.length > 0 ? paths : undefined)
          if (options.json) return sayJson(cli, diffs.map(diffToWire))
          const paint = paintOut(cli, options)
          const summary = summaryText(diffs, cli.io.cwd, paint) || 'Nothing changed.\n'
          return sayPaged(cli, options.stat ? summary : `${summary}\n${diffsText(diffs, cli.io.cwd, paint)}`)
        })
      })
    },
  )
}

function lastOf(transactions: PastTransactions): TransactionRecord {
  const [last] = transactions.history({ limit: 1 })
  if (last) return last
  throw new CordonError('NOT_FOUND', `No command has changed anything in ${transactions.here()}.`)
}
