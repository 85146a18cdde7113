import { type Command, InvalidArgumentError } from 'commander'
import type { TransactionRecord } from '../../core/model/change.js'
import { countsInShort } from './changes-text.js'
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
      if (options.json) await sayJson(cli, records)
      else await sayOut(cli, table(records, paintOut(cli, options), columnsOf(cli.io)))
      cli.exit(0)
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

const HEADINGS = ['id', 'when', 'state', 'changes', 'command'] as const

/** One line each, the command cut to what is left of it; then what a person can do about those that wait. */
function table(records: readonly TransactionRecord[], paint: Paint, columns: number): string {
  if (records.length === 0) return 'No command has changed anything yet.\n'
  const rows = records.map((record) => [
    record.id,
    record.at.slice(0, 19).replace('T', ' '),
    record.undo === 'dropped' ? `${record.state}, no undo` : record.state,
    countsInShort(record.changes.counts),
  ])
  const widths = HEADINGS.slice(0, -1).map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const room = Math.max(24, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  const padded = (row: readonly string[]) => row.map((text, column) => pad(text, widths[column] ?? 0))
  const head = paint.dim([...padded(HEADINGS.slice(0, -1)), 'command'].join('  '))
  const lines = records.map((record, index) => {
    const [id = '', at = '', state = '', counts = ''] = padded(rows[index] ?? [])
    const parts = [paint.cyan(id), paint.dim(at), tint(record.state, paint)(state), counts, cut(record.command, room)]
    return parts.join('  ').trimEnd()
  })
  return `${[head, ...lines].join('\n')}\n${waitingText(records)}`
}

const UNSETTLED = new Set<TransactionRecord['state']>(['waiting', 'conflict'])

function tint(state: TransactionRecord['state'], paint: Paint): (text: string) => string {
  if (UNSETTLED.has(state)) return paint.yellow
  return state === 'committed' ? paint.green : paint.dim
}

function waitingText(records: readonly TransactionRecord[]): string {
  const { length } = records.filter(({ state }) => UNSETTLED.has(state))
  if (length === 0) return ''
  const who = length === 1 ? '1 of these is' : `${length} of these are`
  return `\n${who} not settled: cordon diff <id>, then cordon keep <id> or cordon discard <id>.\n`
}

function count(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1) throw new InvalidArgumentError('It must be a number from 1 on.')
  return number
}
