import type { Command } from 'commander'
import { CordonError } from '../../core/model/errors.js'
import { shortId } from '../../core/model/id.js'
import type { PastTransactions, Settlement } from '../../engine/ports.js'
import { undoneText } from './changes-text.js'
import { type Cli, paintErr, sayErr, sayJson, withEngine } from './cli.js'
import { EXITS_OF_UNDO } from './exits.js'
import { addColor, addJson } from './options.js'
import { reportFailure } from './report-failure.js'
import { visible } from './visible.js'

interface UndoOptions {
  readonly last?: string
  readonly path?: readonly string[]
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon undo <id…>`: takes back what commands changed. */
export function addUndo(program: Command, cli: Cli): void {
  const command = program
    .command('undo')
    .summary('take back what a past command changed')
    .description(
      'Puts files back as they were before a command. An undo can be undone by its own id. Files that changed since are never overwritten: then nothing is done, and they are named.',
    )
    .argument('[id...]', 'the transactions, in the order they are to be undone: newest first')
    .option('--last <count>', 'undo the last <count> commands')
    .option(
      '--path <path>',
      'only this file, or what is below it (repeatable)',
      (path: string, before: readonly string[] = []) => [...before, path],
    )
    .addHelpText('after', EXITS_OF_UNDO)
  addColor(addJson(command)).action(async (ids: readonly string[], options: UndoOptions) => {
    try {
      cli.exit(await withEngine(cli, ({ transactions }) => undo(cli, transactions, ids, options)))
    } catch (thrown) {
      cli.exit(await reportFailure(cli, thrown, options))
    }
  })
}

async function undo(
  cli: Cli,
  transactions: PastTransactions,
  ids: readonly string[],
  options: UndoOptions,
): Promise<number> {
  const done: Settlement[] = []
  for (const id of wanted(transactions, ids, options)) {
    const settlement = await transactions.undo(id, options.path)
    done.push(settlement)
    if (!options.json) await say(cli, id, settlement, options)
    if (settlement.conflicts.length > 0) break
  }
  if (options.json)
    await sayJson(
      cli,
      done.map(({ record, conflicts }) => ({ ...record, conflicts })),
    )
  return done.some(({ conflicts }) => conflicts.length > 0) ? 1 : 0
}

function wanted(transactions: PastTransactions, ids: readonly string[], { last }: UndoOptions): readonly string[] {
  const count = /^[1-9]\d{0,3}$/.test(last ?? '') ? Number(last) : 0
  if ((last === undefined) === (ids.length === 0) || (last !== undefined && count === 0)) {
    throw new CordonError(
      'INVALID_ARGUMENTS',
      "Name the transactions to undo ('cordon history' lists them), or give --last <count>.",
    )
  }
  if (last === undefined) return ids
  const undoable = transactions
    .history(10_000)
    .filter(({ state, undo, kind }) => state === 'committed' && undo === 'possible' && kind === 'command')
  return undoable.slice(0, count).map(({ id }) => id)
}

async function say(cli: Cli, id: string, { record, conflicts }: Settlement, options: UndoOptions): Promise<void> {
  const paint = paintErr(cli, options)
  if (conflicts.length === 0) {
    await sayErr(
      cli,
      `${paint.green('✔')} Undone ${shortId(id)}: ${undoneText(record.changes.counts)}. To bring it back: cordon undo ${shortId(record.id)}\n`,
    )
    return
  }
  const named = conflicts.map((path) => `  ${visible(path)}\n`).join('')
  await sayErr(
    cli,
    `${paint.red('✘')} Not undone, nothing was changed: these are no longer as ${id} left them.\n${named}`,
  )
}
