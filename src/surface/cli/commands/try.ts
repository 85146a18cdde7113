import type { Command } from 'commander'
import { CordonError } from '../../../core/model/basics/errors.js'
import type { FileDiff } from '../../../core/model/run/change.js'
import type { Result } from '../../../core/model/run/result.js'
import { toText } from '../../../core/present/text-form.js'
import { diffToWire, toWire } from '../../../core/present/wire.js'
import { refuseWithoutTerminal } from '../request/needs-terminal.js'
import { addRunningOptions, type RunningOptions } from '../request/options.js'
import { reviewedBy } from '../request/prompt-review.js'
import { exitWith } from '../request/report-failure.js'
import { inputText, isForModels, relayFor, requestFor, statusOf } from '../request/run-command.js'
import { SCRIPT_WORDS, scriptOf } from '../request/script-words.js'
import { timeoutNote } from '../request/timeout-note.js'
import { type Cli, paintErr, paintOut, sayErr, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { CliEngine } from '../terminal/dependencies.js'
import { listenForInterrupts } from '../terminal/interrupts.js'
import { sayPaged } from '../terminal/page.js'
import { visible } from '../terminal/visible-text.js'
import { diffsText, summaryText } from '../text/changes.js'
import { EXITS_OF_TRY } from '../text/exit-statuses.js'
import { resultNotes } from '../text/result-notes.js'

interface TryOptions extends RunningOptions {
  readonly keep?: boolean
  readonly discard?: boolean
}

type Settled = {
  readonly outcome: 'kept' | 'discarded' | 'conflict' | 'nothing'
  readonly conflicts: readonly string[]
  /** True if there was no terminal to ask on. */
  readonly unasked?: boolean
}

const NOTHING: Settled = { outcome: 'nothing', conflicts: [] }

/** `cordon try -- <script>`: run it, see what it would change, then keep or discard that. */
export function addTry(program: Command, cli: Cli): void {
  const command = program
    .command('try')
    .summary('run a command and see its changes before they count')
    .description(
      'Runs a bash script, shows what it changed, and asks whether to keep that. Until then the files are as they were. Without a terminal to ask on, and without --keep, the changes are discarded.',
    )
    .argument(...SCRIPT_WORDS)
    .passThroughOptions()
    .option('--keep', 'keep the changes without asking')
    .option('--discard', 'discard the changes without asking')
    .addHelpText('after', EXITS_OF_TRY)
  addRunningOptions(command).action((words: readonly string[], options: TryOptions) =>
    exitWith(cli, options, async () => {
      if (options.keep && options.discard)
        throw new CordonError('INVALID_ARGUMENTS', '--keep and --discard exclude each other.')
      const script = await scriptOf(words, options, cli)
      return withEngine(cli, (engine) => attempt(cli, engine, script, options))
    }),
  )
}

async function attempt(cli: Cli, engine: CliEngine, script: string, options: TryOptions): Promise<number> {
  const stdin = await inputText(cli, options)
  const interrupts = listenForInterrupts(cli.io)
  const { signal, stop } = interrupts
  if (!isForModels(options)) refuseWithoutTerminal(cli.io, script, options)
  const relay = isForModels(options) ? null : relayFor(cli, options, interrupts)
  const result = await engine
    .run(script, { ...requestFor(options), stdin, relay: relay ?? undefined, review: true, signal })
    .finally(stop)
  await relay?.end()
  if (!options.json) await sayErr(cli, timeoutNote(engine, options))
  const id = result.transaction?.outcome === 'waiting-for-review' ? (result.transaction.id ?? null) : null
  const diffs = id === null ? [] : engine.transactions.diff(id)
  if (relay === null && !options.json) await sayOut(cli, `${toText(result)}\n`)
  if (!options.json) await show(cli, result, diffs, options)
  const settled = id === null ? NOTHING : await keepOrDiscard(cli, engine, id, diffs, options)
  if (options.json) await sayJson(cli, wire(result, diffs, settled))
  else await say(cli, settled, options)
  const status = relay === null ? result.exitCode : await statusOf(cli, result, relay)
  return settled.outcome === 'conflict' ? 1 : status
}

const wire = (result: Result, diffs: readonly FileDiff[], { outcome, conflicts }: Settled) => ({
  ...toWire(result),
  changes: diffs.map(diffToWire),
  settled: outcome,
  conflicts,
})

async function show(cli: Cli, result: Result, diffs: readonly FileDiff[], options: TryOptions): Promise<void> {
  const paint = paintOut(cli, options)
  const waiting = result.transaction?.outcome === 'waiting-for-review'
  if (!waiting) await sayErr(cli, resultNotes(result, paintErr(cli, options), cli.io.stderr.isTTY === true))
  if (result.transaction?.outcome === 'none') await sayErr(cli, 'Nothing changed.\n')
  if (diffs.length > 0)
    await sayPaged(cli, `${summaryText(diffs, cli.io.cwd, paint)}\n${diffsText(diffs, cli.io.cwd, paint)}`)
}

async function keepOrDiscard(
  cli: Cli,
  { transactions }: CliEngine,
  id: string,
  diffs: readonly FileDiff[],
  options: TryOptions,
): Promise<Settled> {
  const person = !isForModels(options) && cli.io.stderr.isTTY === true && cli.io.stdin.isTTY === true
  const answer = options.keep ? 'all' : options.discard || !person ? 'none' : await reviewedBy(cli, diffs, options)
  if (answer === 'none' || answer.length === 0) {
    await transactions.settle(id, 'discard')
    return { outcome: 'discarded', conflicts: [], unasked: !options.discard && !person }
  }
  const { conflicts } = await transactions.settle(id, 'keep', answer === 'all' ? undefined : answer)
  return { outcome: conflicts.length > 0 ? 'conflict' : 'kept', conflicts }
}

async function say(cli: Cli, { outcome, conflicts, unasked }: Settled, options: TryOptions): Promise<void> {
  const paint = paintErr(cli, options)
  if (outcome === 'kept') await sayErr(cli, `${paint.green('✔')} Kept.\n`)
  if (outcome === 'discarded') {
    const why = unasked ? ', for there is no terminal to ask on (--keep keeps them)' : ''
    await sayErr(cli, `${paint.yellow('✘')} Discarded${why}: the files are as they were.\n`)
  }
  if (outcome === 'conflict') {
    const named = conflicts.map((path) => `  ${visible(path)}\n`).join('')
    await sayErr(cli, `${paint.red('✘')} Not kept: another process changed these while the command ran.\n${named}`)
  }
}
