import { createCapture } from '../core/capture/capture.js'
import { narrowRule } from '../core/decide/narrow-rule.js'
import type { Ending } from '../core/model/ending.js'
import { CordonError, errorInfo } from '../core/model/errors.js'
import type { Event, Stream } from '../core/model/event.js'
import type { Profile } from '../core/model/profile.js'
import type { Result } from '../core/model/result.js'
import { checkCommand, checkOptions } from '../core/model/run-input.js'
import { planFor } from '../core/plan/plan-for.js'
import { maskSecrets } from '../core/present/mask.js'
import { conclude } from './conclude.js'
import { type Considered, consider } from './consider.js'
import { follow } from './follow.js'
import type { LaunchIo, OutputSink, Ports } from './ports.js'
import type { Queue } from './queue.js'
import { asCordonError, brief, type Draft, endedByError, endedByResult, intentOf } from './record.js'
import { denial } from './refusal.js'
import type { Run, Tasks } from './tasks.js'

export interface RunContext {
  readonly ports: Ports
  readonly queue: Queue
  readonly tasks: Tasks
}

const CANCELLED: Ending = { how: 'killed', signal: 'SIGKILL', by: 'caller' }

/**
 * request → facts → decision → plan → grant → ending → result, each end recorded. The only file that knows the order.
 * Rejects with a CordonError when nothing was run; whatever ran, however it ended, is a result.
 */
export async function run(input: unknown, rawOptions: unknown, entry: Run, context: RunContext): Promise<Result> {
  const { ports, tasks } = context
  const draft = draftOf(input, rawOptions, entry)
  const emit = emitter(rawOptions)
  const unfollow = followSignal(rawOptions, entry.abort)
  tasks.add(entry)
  let begun = false
  try {
    const { considered, plan, grant, output } = await admit(input, rawOptions, draft, entry.abort.signal, ports)
    ports.audit.began(intentOf(draft))
    begun = true
    ports.log('info', 'started', {
      id: draft.id,
      agent: draft.agent,
      mode: considered.request.command.mode,
      command: brief(draft),
    })
    const result = await perform(considered, plan, grant, { entry, emit, output, context })
    ports.audit.ended(endedByResult(draft, ports.now(), result))
    ports.log('info', 'ended', {
      id: draft.id,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      truncated: result.truncated,
    })
    emitSettled(result, emit)
    emit({
      type: 'completed',
      id: draft.id,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      error: result.error,
    })
    return result
  } catch (thrown) {
    throw refuse(asCordonError(thrown), draft, begun, emit, ports)
  } finally {
    unfollow()
    tasks.end(entry)
  }
}

/** Everything before the first effect: checked, read, decided, planned, granted. */
async function admit(input: unknown, rawOptions: unknown, draft: Draft, signal: AbortSignal, ports: Ports) {
  const options = checkOptions(rawOptions)
  draft.agent = options.agent ?? null
  const command = checkCommand(input)
  draft.command = command
  if (options.agent === undefined)
    ports.log('debug', 'no agent named: the default profile of the caller applies', { id: draft.id })
  const chosen = ports.profiles.profileFor(options.agent ?? null, options.profile ?? null)
  const profile = options.review ? reviewed(chosen) : chosen
  draft.profile = profile.name
  const considered = consider(draft.id, command, options, profile, ports.observer)
  draft.cwd = considered.request.cwd
  draft.decision = considered.decision
  if (considered.decision.verdict === 'deny') throw denial(considered.decision)
  if (command.mode === 'structured') requireProgram(command.program, ports)
  const plan = planOf(considered, ports)
  draft.plan = plan
  const { request, decision, facts } = considered
  const rule = decision.verdict === 'ask' ? narrowRule(facts, decision.because) : null
  const grant = await ports.approver.approve({
    plan,
    decision,
    text: request.text,
    approval: options.approval ?? null,
    rule,
    signal,
  })
  return { considered, plan, grant, output: { keep: options.keepOutput ?? false, filters: options.filters ?? true } }
}

/** A review that cannot hold the changes back would be none. */
const reviewed = (profile: Profile): Profile => ({
  ...profile,
  transaction: { ...profile.transaction, mode: 'review', required: true },
})

export const planOf = ({ request, profile, surroundings, facts }: Considered, ports: Ports) =>
  planFor({
    request,
    profile,
    surroundings,
    capabilities: ports.launchers.bubblewrap.probe(),
    writesAnything: facts.writesAnything,
    sha256: ports.sha256,
  })

function requireProgram(program: string, { observer }: Ports): void {
  const found = observer.answer([{ ask: 'program', name: program }]).programs.get(program)
  if (!found) {
    throw new CordonError(
      'PROGRAM_NOT_FOUND',
      `The program ${JSON.stringify(program)} was not found on PATH. Check its name, or install it.`,
    )
  }
}

interface Performance {
  readonly entry: Run
  readonly emit: (event: Event) => void
  readonly output: { readonly keep: boolean; readonly filters: boolean }
  readonly context: RunContext
}

/** Waits for a place, runs the plan inside its transaction, and makes a result of what came. */
async function perform(
  considered: Considered,
  plan: ReturnType<typeof planOf>,
  grant: Parameters<Ports['transactions']['during']>[1],
  to: Performance,
): Promise<Result> {
  const { entry, context } = to
  const { ports, queue } = context
  const capture = createCapture(considered.profile.output.captureBytes)
  entry.capture = capture
  const sink = to.output.keep ? ports.outputs.open(entry.id) : null
  const launcher = plan.wall.kind === 'none' ? ports.launchers.none : ports.launchers.bubblewrap
  let startedAt = ports.now()
  const launch = async (actual: typeof plan): Promise<Ending> => {
    startedAt = ports.now()
    entry.state = 'running'
    return launcher.launch(actual, ioFor(considered, capture, sink, to))
  }
  const leave = await queue
    .enter(entry.agent, considered.profile.concurrency.perAgent, entry.abort.signal)
    .catch(cancelledInLine)
  try {
    const { ending, report } = leave
      ? await ports.transactions.during(plan, grant, launch, {
          id: entry.id,
          text: maskSecrets(considered.request.text),
        })
      : { ending: CANCELLED, report: null }
    const durationMs = ports.now() - startedAt
    const captured = capture.finish()
    return conclude(considered, {
      ending,
      captured,
      report,
      durationMs,
      kept: sink !== null,
      filters: to.output.filters,
    })
  } finally {
    leave?.()
    await sink?.close()
  }
}

function cancelledInLine(thrown: unknown): null {
  if (thrown instanceof CordonError && thrown.code === 'CANCELLED') return null
  throw thrown
}

function ioFor(
  { request }: Considered,
  capture: ReturnType<typeof createCapture>,
  sink: OutputSink | null,
  { entry, emit, context }: Performance,
): LaunchIo {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  return {
    stdin:
      entry.background && request.stdin === null ? 'open' : request.stdin === null ? 'closed' : { text: request.stdin },
    signal: entry.abort.signal,
    onChunk(stream: Stream, bytes: Uint8Array) {
      capture.push(stream, bytes)
      sink?.write(stream, bytes)
      if (emit !== ignore)
        emit({ type: 'output', id: entry.id, stream, chunk: decoders[stream].decode(bytes, { stream: true }) })
    },
    onStart(process) {
      entry.process = process
      context.ports.log('debug', 'process', { id: entry.id, pid: process.pid })
      emit({ type: 'started', id: entry.id, command: request.text, agent: request.agent })
      for (const text of entry.early.splice(0)) text === null ? process.endInput() : process.write(text)
    },
  }
}

function refuse(
  error: CordonError,
  draft: Draft,
  begun: boolean,
  emit: (event: Event) => void,
  { audit, log, now }: Ports,
): CordonError {
  log(error.code === 'INTERNAL' ? 'error' : 'warn', 'refused', {
    id: draft.id,
    agent: draft.agent,
    code: error.code,
    command: brief(draft),
  })
  try {
    const ended = endedByError(draft, now(), error)
    if (begun) audit.ended(ended)
    else if (error.code !== 'AUDIT_UNAVAILABLE') audit.refused(intentOf(draft), ended)
  } catch (thrown) {
    // A refusal that cannot be recorded is still a refusal; the caller learns of both.
    const failure = asCordonError(thrown)
    log('error', 'not recorded', { id: draft.id, message: failure.message })
    return begun || error.code === 'AUDIT_UNAVAILABLE' ? error : failure
  }
  if (error.code === 'CONFIRMATION_REQUIRED') {
    emit({ type: 'approval-wanted', id: draft.id, approval: approvalIn(error), because: draft.decision?.because ?? [] })
  }
  emit({ type: 'refused', id: draft.id, error: errorInfo(error.code, error.message) })
  return error
}

const approvalIn = ({ details }: CordonError): string | null =>
  typeof details.approval === 'string' ? details.approval : null

function draftOf(input: unknown, rawOptions: unknown, entry: Run): Draft {
  const caller = checkedField(rawOptions, 'caller')
  return {
    id: entry.id,
    at: entry.startedAt,
    caller:
      caller === 'cli' || caller === 'mcp' || caller === 'tool' || caller === 'hook' || caller === 'http'
        ? caller
        : 'library',
    agent: entry.agent,
    command: null,
    fallback: (typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input))).slice(0, 1_000),
    cwd: null,
    profile: '',
    decision: null,
    plan: null,
  }
}

const checkedField = (options: unknown, name: string): unknown =>
  typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined

/** What became of the changes, where there were any. */
function emitSettled({ id, transaction: report }: Result, emit: (event: Event) => void): void {
  if (!report) return
  const { outcome } = report
  if (outcome === 'rolled-back' || outcome === 'committed' || outcome === 'waiting-for-review') {
    emit({ type: outcome, id, report })
  }
}

const ignore = (): void => {}

/** A listener that throws must not decide how a command ends. */
function emitter(options: unknown): (event: Event) => void {
  const onEvent = checkedField(options, 'onEvent')
  if (typeof onEvent !== 'function') return ignore
  return (event) => {
    try {
      onEvent(event)
    } catch {
      // The listener's own affair.
    }
  }
}

function followSignal(options: unknown, abort: AbortController): () => void {
  const signal = checkedField(options, 'signal')
  return signal instanceof AbortSignal ? follow(signal, () => abort.abort()) : ignore
}
