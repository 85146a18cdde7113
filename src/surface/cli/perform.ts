import { CordonError } from '../../core/model/errors.js'
import type { Event } from '../../core/model/event.js'
import type { Result } from '../../core/model/result.js'
import { toWire } from '../../core/present/wire.js'
import type { CommandInput } from '../../engine/api.js'
import { type Cli, paintErr, sayErr, sayJson, sayOut, withEngine } from './cli.js'
import type { CliEngine } from './doors.js'
import { createTerminalFilter } from './live-output.js'
import { type RunningOptions, readStdin, runOptions } from './options.js'
import { promptApproval } from './prompt-approval.js'
import { reportFailure } from './report-failure.js'
import { resultNotes } from './result-notes.js'

/** Runs one command for `run` and `exec` and gives the exit status: the command's own, or the one the failure has. */
export async function perform(cli: Cli, command: CommandInput, text: string, options: RunningOptions): Promise<number> {
  const abort = new AbortController()
  try {
    // Until there is something to end, Ctrl-C may end this process itself: nobody listens for it yet.
    const input = options.stdin ? await readStdin(cli.io, 'Standard input') : undefined
    return await performInput(cli, command, { ...options, input }, abort)
  } catch (thrown) {
    return reportFailure(cli, abort.signal.aborted ? cancelled() : thrown, options, text)
  }
}

type Performance = RunningOptions & { readonly input: string | undefined }

async function performInput(
  cli: Cli,
  command: CommandInput,
  options: Performance,
  abort: AbortController,
): Promise<number> {
  const cancel = (): void => abort.abort()
  const stopListening = cli.io.onInterrupt(cancel)
  const ask = personIsThere(cli, options) ? { onApproval: promptApproval(cli, options, cancel) } : {}
  try {
    return await withEngine(cli, (engine) => performWith(engine, cli, command, options, abort), ask)
  } finally {
    stopListening()
  }
}

const cancelled = (): CordonError => new CordonError('CANCELLED', 'Cancelled by the caller.')

/** Somebody who can be asked: a terminal to read from that nothing else reads, and one to show the question on. */
const personIsThere = ({ io }: Cli, { json, stdin }: RunningOptions): boolean =>
  !json && !stdin && io.stderr.isTTY === true && io.stdin.isTTY === true

async function performWith(
  engine: CliEngine,
  cli: Cli,
  command: CommandInput,
  options: Performance,
  { signal }: AbortController,
): Promise<number> {
  const live = cli.io.stdout.isTTY === true && !options.json ? liveOutput(cli) : null
  const { input: stdin, keepOutput, approval } = options
  const onEvent = live?.onEvent
  // Whoever redirects a command's output into a file wants that output; JSON is for programs and models.
  const filters = options.json ?? false
  const request = { ...runOptions(options), stdin, keepOutput, filters, approval, signal, onEvent }
  const result = await engine.run(command, request)
  if (options.json) await sayJson(cli, toWire(result))
  else await show(cli, result, live, options)
  return result.exitCode
}

async function show(cli: Cli, result: Result, live: LiveOutput | null, options: RunningOptions): Promise<void> {
  if (live) await live.end()
  else {
    await sayOut(cli, result.stdout)
    await sayErr(cli, result.stderr)
  }
  await sayErr(cli, resultNotes(result, paintErr(cli, options), cli.io.stderr.isTTY === true))
}

interface LiveOutput {
  readonly onEvent: (event: Event) => void
  end(): Promise<void>
}

/** Past this much unread text a terminal is not reading; what follows is dropped and counted rather than kept in memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024

/** Output as it comes, for somebody who watches. */
function liveOutput(cli: Cli): LiveOutput {
  const filters = { stdout: createTerminalFilter(), stderr: createTerminalFilter() }
  let dropped = 0
  return {
    onEvent(event) {
      if (event.type !== 'output') return
      const screen = cli.io[event.stream]
      const text = filters[event.stream].push(event.chunk)
      if (screen.writableLength > MAX_UNREAD_BYTES) dropped += text.length
      else if (!screen.destroyed) screen.write(text)
    },
    async end() {
      if (filters.stdout.coloured) await sayOut(cli, '\u001b[0m')
      if (filters.stderr.coloured) await sayErr(cli, '\u001b[0m')
      if (dropped > 0) await sayErr(cli, `[${dropped} chars not shown: the terminal did not keep up]\n`)
    },
  }
}
