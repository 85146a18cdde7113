import { type Command, InvalidArgumentError } from 'commander'
import { CordonError } from '../../../core/model/basics/errors.js'
import { shortId } from '../../../core/model/basics/id.js'
import type { TransactionRecord } from '../../../core/model/run/change.js'
import type { PastTransactions, Settlement } from '../../../engine/ports/ports.js'
import { addColor, addJson } from '../request/options.js'
import { askLine } from '../request/prompt-approval.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, paintErr, sayErr, sayJson, withEngine } from '../terminal/context.js'
import { localTime } from '../terminal/local-time.js'
import { cut, visible } from '../terminal/visible-text.js'
import { summaryText, undoneText } from '../text/changes.js'
import { EXITS_OF_UNDO } from '../text/exit-statuses.js'

interface UndoOptions {
  readonly last?: number
  readonly all?: boolean
  readonly yes?: boolean
  readonly path?: readonly string[]
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon undo [id…]`: takes back what commands changed. */
export function addUndo(program: Command, cli: Cli): void {
  const command = program
    .command('undo')
    .summary('take back what a past command changed')
    .description(
      'Puts files back as they were before a command: without an id, the last one here that changed files. An undo can be undone by its own id. Files that changed since are never overwritten: then nothing is done, and they are named.',
    )
    .argument('[id...]', 'the transactions, newest first; the beginning of an id is enough')
    .option('--last <count>', 'the last <count> commands of this workspace', lastCount)
    .option('--all', 'the last ones of any workspace')
    .option('--yes', 'do not ask')
    .option(
      '--path <path>',
      'only this file, or what is below it (repeatable)',
      (path: string, before: readonly string[] = []) => [...before, path],
    )
    .addHelpText('after', EXITS_OF_UNDO)
  addColor(addJson(command)).action((ids: readonly string[], options: UndoOptions) =>
    exitWith(cli, options, async () => {
      return withEngine(cli, ({ transactions }) => undo(cli, transactions, ids, options))
    }),
  )
}

async function undo(
  cli: Cli,
  transactions: PastTransactions,
  ids: readonly string[],
  options: UndoOptions,
): Promise<number> {
  const records = wanted(transactions, ids, options)
  if (ids.length === 0 && options.last === undefined && !(await isMeant(cli, transactions, records, options))) return 0
  const done: Settlement[] = []
  for (const record of records) {
    const settlement = await transactions.undo(record.id, options.path)
    done.push(settlement)
    if (!options.json) await say(cli, record, settlement, { ...options, here: transactions.here() })
    if (settlement.conflicts.length > 0) break
  }
  if (options.json)
    await sayJson(
      cli,
      done.map(({ record, conflicts }) => ({ ...record, conflicts })),
    )
  return done.some(({ conflicts }) => conflicts.length > 0) ? 1 : 0
}

/** Longer histories are pruned. */
const EVERY_RECORD = 10_000

function wanted(
  transactions: PastTransactions,
  ids: readonly string[],
  { last, all }: UndoOptions,
): readonly TransactionRecord[] {
  if (last !== undefined && ids.length > 0)
    throw new CordonError('INVALID_ARGUMENTS', 'Name the transactions to undo, or give --last <count>, not both.')
  if (ids.length > 0) return ids.map((id) => transactions.get(id))
  const workspace = all ? { workspace: null } : {}
  const undoable = transactions
    .history({ ...workspace, limit: EVERY_RECORD })
    .filter(({ state, undo, kind }) => state === 'committed' && undo === 'possible' && kind === 'command')
  if (undoable.length > 0) return undoable.slice(0, last ?? 1)
  const where = all ? '' : ` in ${transactions.here()}`
  const others = all ? '' : " 'cordon history --all' lists other workspaces."
  throw new CordonError('NOT_FOUND', `There is no change to undo${where}.${others}`)
}

/** More lines would push the question off the screen. */
const SHOWN_LINES = 20

/** Shows what would be undone. At a terminal the person is asked. */
async function isMeant(
  cli: Cli,
  transactions: PastTransactions,
  [record]: readonly TransactionRecord[],
  options: UndoOptions,
): Promise<boolean> {
  if (record === undefined || options.json) return true
  const paint = paintErr(cli, options)
  const lines = summaryText(transactions.diff(record.id, options.path), cli.io.cwd, paint).split('\n').slice(0, -1)
  const more = lines.length > SHOWN_LINES ? [paint.dim(`  … and ${lines.length - SHOWN_LINES} more`)] : []
  const title = `${paint.cyan(shortId(record.id))}  ${paint.dim(localTime(record.at))}  ${cut(record.command, COMMAND_COLUMNS)}`
  const place = record.workspace === transactions.here() ? [] : [`In ${visible(record.workspace)}:`]
  await sayErr(cli, `${[...place, title, ...lines.slice(0, SHOWN_LINES), ...more].join('\n')}\n`)
  const { stdin, stderr } = cli.io
  if (options.yes || stdin.isTTY !== true || stderr.isTTY !== true) return true
  const stop = new AbortController()
  const answer = await askLine(cli, paint.bold('Undo this? [y/N] '), stop.signal, () => stop.abort())
  if (/^y(es)?$/i.test(answer.trim())) return true
  await sayErr(cli, 'Nothing was undone.\n')
  return false
}

const COMMAND_COLUMNS = 44

async function say(
  cli: Cli,
  { id, workspace }: TransactionRecord,
  { record, conflicts }: Settlement,
  options: UndoOptions & { readonly here: string },
): Promise<void> {
  const paint = paintErr(cli, options)
  const place = workspace === options.here ? '' : ` in ${visible(workspace)}`
  if (conflicts.length === 0) {
    const text = undoneText(record.changes.counts)
    await sayErr(
      cli,
      `${paint.green('✔')} Undone ${shortId(id)}${place}: ${text}. To bring it back: cordon undo ${shortId(record.id)}\n`,
    )
    return
  }
  const named = conflicts.map((path) => `  ${visible(path)}\n`).join('')
  await sayErr(
    cli,
    `${paint.red('✘')} Not undone${place}, nothing was changed: these are no longer as ${shortId(id)} left them.\n${named}`,
  )
}

function lastCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.')
  return Number(text)
}
