import type { Result } from '../core/model/run/result.js'
import type { DecidingPorts, Ports } from './ports/ports.js'
import { analyse } from './stages/analyse.js'
import { approve } from './stages/approve.js'
import { audit, auditRefusal, recordIntent } from './stages/audit.js'
import { capture } from './stages/capture.js'
import { decide, denyByForm } from './stages/decide.js'
import { launch } from './stages/launch.js'
import { normalise } from './stages/normalise.js'
import type {
  AskedRequest,
  DecidedRequest,
  KnownRequest,
  PresentedRequest,
  RawRequest,
  Reach,
  RecordedRequest,
} from './stages/nouns.js'
import { observe } from './stages/observe.js'
import { openOutput } from './stages/output.js'
import { plan } from './stages/plan.js'
import { present } from './stages/present.js'
import { transaction } from './stages/transaction.js'
import { type Emit, emitter, followSignal, toolOf } from './tasks/caller-events.js'
import type { Queue } from './tasks/queue.js'
import type { Run, Tasks } from './tasks/tasks.js'

/** Shared by all runs of one engine. */
export interface EngineContext {
  readonly ports: Ports
  readonly queue: Queue
  readonly tasks: Tasks
}

/**
 * Decides a request: the stages that `check`, `run` and `replay` share, so that they cannot disagree. Throws only for
 * a request that is itself impossible; a refusal is a decision.
 */
export function decideRequest(
  raw: RawRequest,
  asked: AskedRequest,
  ports: DecidingPorts,
  reach: Reach,
): DecidedRequest {
  const normalised = normalise(raw, asked, ports, reach)
  const denied = denyByForm(normalised)
  if (denied !== null) return reach(denied)
  const analysed = analyse(normalised)
  const observed = observe(analysed, ports)
  return reach(decide(observed))
}

/**
 * Runs a request through the eleven stages, in this order. Rejects with a CordonError if nothing ran;
 * every command that ran gives a result. Both are recorded by the last noun that was reached.
 */
export async function runRequest(
  raw: RawRequest,
  asked: AskedRequest,
  run: Run,
  context: EngineContext,
): Promise<Result> {
  const { ports, tasks } = context
  const emit = emitter(raw.options, { agent: asked.agent, tool: toolOf(raw, asked) })
  const unfollow = followSignal(raw.options, run.abort)
  let known: KnownRequest = asked
  let result: Result | null = null
  const reach: Reach = (noun) => {
    known = noun
    return noun
  }
  tasks.add(run)
  try {
    const decided = decideRequest(raw, asked, ports, reach)
    const planned = reach(plan(decided, ports))
    const approved = reach(await approve(planned, ports, run.abort.signal))
    const recorded = reach(recordIntent(approved, ports))
    const presented = await execute(recorded, run, context, emit)
    result = presented.result
    return audit(presented, ports, emit)
  } catch (thrown) {
    throw auditRefusal(thrown, known, ports, emit)
  } finally {
    unfollow()
    tasks.end(run, ports.now(), result)
  }
}

/** The stages after the intent is on record: from the first process to the text that is shown. */
async function execute(
  recorded: RecordedRequest,
  run: Run,
  context: EngineContext,
  emit: Emit,
): Promise<PresentedRequest> {
  const { ports } = context
  const output = openOutput(recorded, run, emit, ports.outputs)
  try {
    const ended = await transaction(recorded, context, (actual) => launch(actual, output, run, ports), run.abort.signal)
    const captured = capture(ended, output, ports.observer)
    return present(captured, ports.filters)
  } finally {
    await output.close()
  }
}
