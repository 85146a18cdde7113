import { CordonError } from '../../../core/model/basics/errors.js'
import type { Result } from '../../../core/model/run/result.js'
import { toText } from '../../../core/present/text-form.js'
import { toWire } from '../../../core/present/wire.js'
import type { CommandInput, RunOptions } from '../../../engine/api.js'
import { type Cli, paintErr, sayErr, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { CliEngine } from '../terminal/dependencies.js'
import { type Interrupts, listenForInterrupts } from '../terminal/interrupts.js'
import { type CliRelay, createRelay } from '../terminal/relay.js'
import { resultNotes } from '../text/result-notes.js'
import { refuseWithoutTerminal } from './needs-terminal.js'
import { type RunningOptions, readStdin, runOptions } from './options.js'
import { promptApproval } from './prompt-approval.js'
import { reportFailure } from './report-failure.js'
import { timeoutNote } from './timeout-note.js'

/** Runs one command for `run` and `exec` and gives the exit status: the command's own, or the one the failure has. */
export async function runCommand(
  cli: Cli,
  command: CommandInput,
  text: string,
  options: RunningOptions,
): Promise<number> {
  let interrupts: Interrupts | null = null
  try {
    if (!isForModels(options)) refuseWithoutTerminal(cli.io, command, options)
    // Before a command starts, Ctrl-C ends this process itself.
    const input = await inputText(cli, options)
    interrupts = listenForInterrupts(cli.io)
    const relay = isForModels(options) ? null : relayFor(cli, options, interrupts)
    return await runWithInput(cli, command, { ...options, input, relay }, interrupts)
  } catch (thrown) {
    const isCancelled = interrupts?.signal.aborted === true
    if (isCancelled && !options.json) return INTERRUPTED
    return reportFailure(cli, isCancelled ? cancelled() : thrown, options, text)
  }
}

/** Connects a command to the streams and the Ctrl-C of the person. */
export const relayFor = ({ io }: Cli, { stdin }: RunningOptions, { connect }: Interrupts): CliRelay =>
  createRelay(io, { stdin: stdin !== false, interrupts: connect })

type InputOptions = RunningOptions & { readonly input: string | undefined; readonly relay: CliRelay | null }

/** True if the result is cut and filtered for a model or program instead of passed on byte for byte. */
export const isForModels = ({ json, present }: RunningOptions): boolean => json === true || present === true

/**
 * Reads all of standard input where the result is for a model, and only when asked: an agent may leave it open for
 * ever.
 */
export const inputText = async (cli: Cli, options: RunningOptions): Promise<string | undefined> =>
  isForModels(options) && options.stdin === true ? readStdin(cli.io, 'Standard input') : undefined

async function runWithInput(
  cli: Cli,
  command: CommandInput,
  options: InputOptions,
  { signal, cancel, stop }: Interrupts,
): Promise<number> {
  const ask = personIsThere(cli, options) ? { onApproval: promptApproval(cli, options, cancel) } : {}
  try {
    return await withEngine(cli, (engine) => runWithEngine(engine, cli, command, options, signal), ask)
  } finally {
    stop()
  }
}

/** Ended by Ctrl-C, as the help lists it. */
const INTERRUPTED = 130
/** Cordon's own failure, as the help lists it. */
const OWN_FAILURE = 125

const cancelled = (): CordonError => new CordonError('CANCELLED', 'Cancelled by the caller.')

/** A terminal to read an answer from, and one to show the question on. */
const personIsThere = ({ io }: Cli, options: RunningOptions): boolean =>
  !isForModels(options) && io.stderr.isTTY === true && io.stdin.isTTY === true

async function runWithEngine(
  engine: CliEngine,
  cli: Cli,
  command: CommandInput,
  options: InputOptions,
  signal: AbortSignal,
): Promise<number> {
  const { input: stdin, relay } = options
  const result = await engine.run(command, { ...requestFor(options), stdin, relay: relay ?? undefined, signal })
  if (options.json) await sayJson(cli, toWire(result))
  else if (relay === null) await sayOut(cli, `${toText(result)}\n`)
  else {
    await relay.end()
    await sayErr(cli, timeoutNote(engine, options))
    await sayErr(cli, resultNotes(result, paintErr(cli, options), cli.io.stderr.isTTY === true))
    return statusOf(cli, result, relay)
  }
  return result.exitCode
}

/** The engine's options for a command that is run. */
export const requestFor = (options: RunningOptions): RunOptions => {
  const { keepOutput, approval } = options
  return { ...runOptions(options), keepOutput, approval, filters: isForModels(options) }
}

/** Output that was lost, on a full disk for example, is a failure even if the command did not notice. */
export async function statusOf(cli: Cli, { exitCode }: Result, { failure }: CliRelay): Promise<number> {
  if (failure === null) return exitCode
  await sayErr(cli, `Cordon could not write the command's output: ${failure}. Free some space and run it again.\n`)
  return exitCode === 0 ? OWN_FAILURE : exitCode
}
