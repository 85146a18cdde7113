import { type Command, InvalidArgumentError } from 'commander'
import { shortId } from '../../../core/model/basics/id.js'
import type { TransactionRecord } from '../../../core/model/run/change.js'
import type { PastTransactions } from '../../../engine/ports/ports.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import { localTime } from '../terminal/local-time.js'
import type { Paint } from '../terminal/style.js'
import { type Column, table } from '../terminal/table.js'
import { glyphs, visible, widthOf } from '../terminal/visible-text.js'
import { countsInShort } from '../text/changes.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'

interface HistoryOptions {
  readonly limit?: number
  readonly all?: boolean
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon history`: what commands changed, newest first. */
export function addHistory(program: Command, cli: Cli): void {
  const command = program
    .command('history')
    .summary('list what commands changed')
    .description(
      "Lists the transactions of this workspace, newest first. 'cordon diff <id>' shows one, 'cordon undo <id>' takes it back.",
    )
    .option('--all', 'of every workspace')
    .option('--limit <count>', 'at most this many (50)', count)
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action((options: HistoryOptions) =>
    exitWith(cli, options, async () => {
      await withEngine(cli, async ({ transactions }) => {
        const { limit } = options
        const records = transactions.history(options.all ? { workspace: null, limit } : { limit })
        if (options.json) await sayJson(cli, records)
        else await sayOut(cli, historyText(cli, records, transactions, options))
      })
    }),
  )
}

function historyText(
  cli: Cli,
  records: readonly TransactionRecord[],
  transactions: PastTransactions,
  options: HistoryOptions,
): string {
  if (records.length === 0) {
    const anywhere = !options.all && transactions.history({ workspace: null, limit: 1 }).length > 0
    if (!anywhere) return 'No command has changed anything yet.\n'
    return `No command has changed anything in ${visible(transactions.here())}. Other workspaces: cordon history --all\n`
  }
  const paint = paintOut(cli, options)
  const columns = COLUMNS.filter(({ heading }) => options.all || heading !== 'workspace')
  return `${table(records, columns, { paint, width: columnsOf(cli.io) })}${waitingText(records)}`
}

const WORKSPACE_COLUMNS = 20

const COLUMNS: readonly Column<TransactionRecord>[] = [
  { heading: 'id', text: ({ id }) => shortId(id), tint: (_, paint) => paint.cyan },
  { heading: 'when', text: ({ at }) => localTime(at), tint: (_, paint) => paint.dim },
  { heading: 'state', text: stateText, tint: ({ state }, paint) => tint(state, paint) },
  { heading: 'changes', text: ({ changes }) => countsInShort(changes.counts), optional: 1 },
  { heading: 'workspace', text: ({ workspace }) => endOf(workspace, WORKSPACE_COLUMNS) },
  { heading: 'command', text: ({ command }) => visible(command) },
]

function stateText({ state, undo }: TransactionRecord): string {
  const name = state === 'rolled-back' ? 'restored' : state
  return undo === 'dropped' ? `${name}, dropped` : name
}

/** A path tells more by its end. */
function endOf(path: string, columns: number): string {
  const shown = glyphs(path)
  if (widthOf(shown) <= columns) return visible(path)
  let from = 0
  while (widthOf(shown.slice(from)) >= columns) from += 1
  return `…${shown
    .slice(from)
    .map((glyph) => glyph.shown)
    .join('')}`
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
