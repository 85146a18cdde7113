import { type Capture, createCapture } from '../core/capture/capture.js'
import type { Captured } from '../core/model/captured.js'
import type { Ending } from '../core/model/ending.js'
import { CordonError } from '../core/model/errors.js'
import type { Event, Stream } from '../core/model/event.js'
import type { Grant, Plan } from '../core/model/plan.js'
import type { Relay } from '../core/model/relay.js'
import type { Request } from '../core/model/request.js'
import type { Result } from '../core/model/result.js'
import { closedPlaces } from '../core/plan/closed-places.js'
import { withRemedies } from '../core/plan/evidence-remedies.js'
import { maskSecrets } from '../core/present/mask.js'
import { conclude } from './conclude.js'
import type { Considered } from './consider.js'
import { unreachableServices } from './host-services.js'
import { ignore } from './listen.js'
import type { LaunchIo, OutputSink, Ports } from './ports.js'
import type { RunContext } from './run-context.js'
import type { Run } from './tasks.js'
import { unsharedReads } from './unshared.js'

const CANCELLED: Ending = { how: 'killed', signal: 'SIGKILL', by: 'caller' }

/** What a run reports to and keeps while it goes on. */
interface Performance {
  readonly entry: Run
  readonly emit: (event: Event) => void
  readonly output: { readonly keep: boolean; readonly filters: boolean }
  readonly context: RunContext
  readonly relay: Relay | undefined
}

/** Waits for a place, runs the plan inside its transaction, and makes a result of what came. */
export async function perform(considered: Considered, plan: Plan, grant: Grant, to: Performance): Promise<Result> {
  const { entry, context } = to
  const { ports, queue } = context
  const capture = createCapture(considered.profile.output.captureBytes)
  entry.capture = capture
  const evidence: string[] = []
  const sink = to.output.keep ? ports.outputs.open(entry.id) : null
  const launcher = plan.sandbox.kind === 'none' ? ports.launchers.none : ports.launchers.bubblewrap
  let startedAt = ports.now()
  let ran = plan
  const launch = async (actual: Plan): Promise<Ending> => {
    startedAt = ports.now()
    ran = actual
    entry.state = 'running'
    const io = { ...ioFor(considered, capture, sink, to), onEvidence: (line: string) => keepEvidence(evidence, line) }
    const ending = await launcher.launch(actual, io)
    // A command may be over before the host could tell that it had begun.
    io.announce()
    return ending
  }
  const leave = await queue
    .enter(entry.agent, considered.profile.concurrency.perAgent, entry.abort.signal)
    .catch(cancelledInLine)
  try {
    const {
      ending,
      report,
      evidence: refused = [],
    } = leave
      ? await ports.transactions.during(plan, grant, launch, {
          id: entry.id,
          text: maskSecrets(considered.request.text),
        })
      : { ending: CANCELLED, report: null, evidence: [] }
    const durationMs = ports.now() - startedAt
    const captured = capture.finish()
    for (const line of refused) keepEvidence(evidence, line)
    for (const line of closedTo(considered, ran, ending, captured, ports)) keepEvidence(evidence, line)
    return conclude(considered, {
      ending,
      captured,
      report,
      grant,
      evidence: withRemedies(evidence, considered, exitedWith(ending) === 0),
      durationMs,
      kept: sink !== null,
      filters: to.output.filters,
    })
  } finally {
    leave?.()
    await sink?.close()
  }
}

function closedTo(
  { facts, surroundings }: Considered,
  { sandbox }: Plan,
  ending: Ending,
  { stderr }: Captured,
  { observer }: Ports,
): readonly string[] {
  if (sandbox.kind === 'none') return []
  const failed = ending.how === 'exited' && exitedWith(ending) !== 0
  const realPath = (path: string): string =>
    observer.answer([{ ask: 'path', path }], surroundings).paths.get(path)?.real ?? path
  return [
    ...closedPlaces({
      facts,
      mounts: sandbox.mounts,
      realPath,
      failed,
      errors: new TextDecoder().decode(stderr.bytes),
    }),
    ...(failed ? [...unreachableServices(facts), ...unsharedReads(facts, surroundings, observer)] : []),
  ]
}

const exitedWith = (ending: Ending): number | null => (ending.how === 'exited' ? ending.status : null)

/** A command that is refused the same host a thousand times is told so once, and evidence is bounded like all output. */
const EVIDENCE_LINES = 50

function keepEvidence(evidence: string[], line: string): void {
  if (evidence.length < EVIDENCE_LINES && !evidence.includes(line)) evidence.push(line)
}

function cancelledInLine(thrown: unknown): null {
  if (thrown instanceof CordonError && thrown.code === 'CANCELLED') return null
  throw thrown
}

function stdinFor({ background }: Run, { stdin }: Request, relay: Relay | undefined): LaunchIo['stdin'] {
  if (relay?.stdin) return { connect: relay.stdin }
  if (stdin !== null) return { text: stdin }
  return background ? 'open' : 'closed'
}

function ioFor(
  { request }: Considered,
  capture: Capture,
  sink: OutputSink | null,
  { entry, emit, context, relay }: Performance,
): LaunchIo & { announce(): void } {
  let announced = false
  const announce = (): void => {
    if (!announced) emit({ type: 'started', id: entry.id, command: request.text, agent: request.agent })
    announced = true
  }
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  return {
    stdin: stdinFor(entry, request, relay),
    merged: relay?.merged ?? false,
    signal: entry.abort.signal,
    announce,
    onChunk(stream: Stream, bytes: Uint8Array) {
      announce()
      capture.push(stream, bytes)
      sink?.write(stream, bytes)
      if (emit !== ignore)
        emit({ type: 'output', id: entry.id, stream, chunk: decoders[stream].decode(bytes, { stream: true }) })
      return relay?.write(stream, bytes)
    },
    onStart(process) {
      entry.process = process
      context.ports.log('debug', 'process', { id: entry.id, pid: process.pid })
      announce()
      for (const text of entry.early.splice(0)) text === null ? process.endInput() : process.write(text)
    },
  }
}
