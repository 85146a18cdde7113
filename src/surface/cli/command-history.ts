import { type Command, InvalidArgumentError } from 'commander'
import type { TransactionRecord } from '../../core/model/change.js'
import { recordToWire } from '../../core/present/wire-transaction.js'
import { countsText } from './changes-text.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from './cli.js'
import { EXITS_OF_LOOKING } from './exits.js'
import { addColor, addJson } from './options.js'
import type { Paint } from './paint.js'
import { reportFailure } from './report-failure.js'
import { cut, pad } from './visible.js'

interface HistoryOptions {
  readonly limit?: number
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon history`: what commands changed, newest first. */
export function addHistory(program: Command, cli: Cli): void {
  const command = program
    .command('history')
    .summary('list what commands changed')
    .description("Lists transactions, newest first. 'cordon diff <id>' shows one, 'cordon undo <id>' takes it back.")
    .option('--limit <count>', 'at most this many (50)', count)
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action(async (options: HistoryOptions) => {
    try {
      const records = await withEngine(cli, async ({ transactions }) => transactions.history(options.limit))
      if (options.json) await sayJson(cli, records.map(recordToWire))
      else await sayOut(cli, table(records, paintOut(cli, options), columnsOf(cli.io)))
      cli.exit(0)
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

function table(records: readonly TransactionRecord[], paint: Paint, columns: number): string {
  if (records.length === 0) return 'No command has changed anything yet.\n'
  const rows = records.map((record) => [
    record.id,
    record.at.slice(0, 19).replace('T', ' '),
    record.undo === 'dropped' ? `${record.state}, too old to undo` : record.state,
    countsText(record.changes.counts),
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const room = Math.max(24, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  const lines = rows.map((row, index) => {
    const [id = '', at = '', state = '', counts = ''] = row.map((text, column) => pad(text, widths[column] ?? 0))
    return `${paint.cyan(id)}  ${paint.dim(at)}  ${state}  ${counts}  ${cut(records[index]?.command ?? '', room)}`.trimEnd()
  })
  return `${lines.join('\n')}\n`
}

function count(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1) throw new InvalidArgumentError('It must be a number from 1 on.')
  return number
}
