import { createCapture } from '../../core/capture/capture.js'
import type { Stream } from '../../core/model/basics/relay.js'
import type { Captured } from '../../core/model/run/captured.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import type { LaunchIo, Outputs, RunningProcess } from '../ports/ports.js'
import { type Emit, ignore } from '../tasks/caller-events.js'
import type { Run } from '../tasks/tasks.js'
import type { RecordedRequest } from './nouns.js'

/** Connects a running command's input and output. */
export interface Output {
  readonly io: Omit<LaunchIo, 'signal' | 'onStart'>
  /** Sends the caller's interrupts to a process that has started; returns a function that stops it. */
  passInterrupts(process: RunningProcess): () => void
  /** Tells the listener, once, that the command has started. */
  announce(): void
  /** Evidence so far: what the sandbox stopped or quarantined. */
  readonly evidence: Evidence[]
  /** The full output is kept on disk. */
  readonly isKept: boolean
  finish(): Captured
  close(): Promise<void>
}

export function openOutput(
  { profile, options, request }: RecordedRequest,
  run: Run,
  emit: Emit,
  outputs: Outputs,
): Output {
  const { relay, keepOutput = false } = options
  const capture = createCapture(profile.output.captureBytes)
  run.capture = capture
  const sink = keepOutput ? outputs.open(run.id) : null
  const evidence: Evidence[] = []
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  let announced = false
  const announce = (): void => {
    if (!announced) emit({ type: 'started', id: run.id, command: request.text })
    announced = true
  }
  const io: Output['io'] = {
    stdin: stdinFor(run, { stdin: request.stdin, relay }),
    merged: relay?.merged ?? false,
    onEvidence: (one) => keepEvidence(evidence, one),
    onChunk(stream: Stream, bytes: Uint8Array) {
      announce()
      capture.push(stream, bytes)
      sink?.write(stream, bytes)
      if (emit !== ignore)
        emit({ type: 'output', id: run.id, stream, chunk: decoders[stream].decode(bytes, { stream: true }) })
      return relay?.write(stream, bytes)
    },
  }
  return {
    io,
    passInterrupts: (process) => relay?.interrupts?.(() => process.interrupt()) ?? ignore,
    announce,
    evidence,
    isKept: sink !== null,
    finish: () => capture.finish(),
    close: async () => sink?.close(),
  }
}

function stdinFor(
  { background }: Run,
  { stdin, relay }: Pick<RecordedRequest['options'], 'relay'> & { readonly stdin: string | null },
): LaunchIo['stdin'] {
  if (relay?.stdin) return { connect: relay.stdin }
  if (stdin !== null) return { text: stdin }
  return background ? 'open' : 'closed'
}

/** Bounds the evidence of one command. Equal evidence counts once. */
const EVIDENCE_LINES = 50

export function keepEvidence(evidence: Evidence[], one: Evidence): void {
  const isKnown = (): boolean => evidence.some((known) => JSON.stringify(known) === JSON.stringify(one))
  if (evidence.length < EVIDENCE_LINES && !isKnown()) evidence.push(one)
}
