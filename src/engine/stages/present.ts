import { type ErrorInfo, errorInfo } from '../../core/model/basics/errors.js'
import { signalNumber } from '../../core/model/basics/signals.js'
import type { Grant } from '../../core/model/policy/plan.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Result } from '../../core/model/run/result.js'
import { classifyExit } from '../../core/present/classify-exit.js'
import type { Filter } from '../../core/present/filters/filter.js'
import { present as presentOutput } from '../../core/present/present.js'
import { printingArgvs } from '../../core/present/printing-argvs.js'
import { evidenceLines } from '../evidence/remedies.js'
import type { CapturedRequest, PresentedRequest } from './nouns.js'

/**
 * Returns the exit code of the wire format: the command's own, 124 for a timeout, 130 for a cancel, 128+n for a
 * signal.
 */
function exitCodeOf(ending: Ending): number {
  if (ending.how === 'exited') return ending.status
  if (ending.how === 'refused') return 125
  if (ending.by === 'timeout') return 124
  return ending.by === 'caller' ? 130 : 128 + signalNumber(ending.signal)
}

function errorOf(ending: Ending, timeoutMs: number | null, stderr: string): ErrorInfo | null {
  if (ending.how === 'killed' && ending.by === 'timeout') {
    return errorInfo('TIMED_OUT', `Command timed out after ${(timeoutMs ?? 0) / 1000}s`)
  }
  if (ending.how === 'killed' && ending.by === 'caller') return errorInfo('CANCELLED', 'Cancelled by the caller.')
  if (ending.how === 'killed' && ending.by === 'limit')
    return errorInfo('LIMIT_EXCEEDED', `killed by limit: ${ending.limit ?? 'unknown'}`)
  return classifyExit(exitCodeOf(ending), stderr)
}

const approvalOf = ({ approval, note }: Grant): Pick<Result, 'approval'> =>
  approval === null ? {} : { approval: { id: approval, note: note ?? null } }

/** Says what the profile did not grant. Agents that run every command without a timeout of ours know it. */
function noticesOf({ options, request, profile }: CapturedRequest): readonly string[] {
  if (options.timeoutMs !== 'none' || request.timeoutMs === null) return []
  const seconds = request.timeoutMs / 1000
  return [`Profile "${profile.name}" allows no command without a timeout: the limit was ${seconds} s.`]
}

/** Makes the result that the caller gets: masked, filtered and cut output, and what became of the command. */
export function present(captured: CapturedRequest, ownFilters: readonly Filter[] = []): PresentedRequest {
  const { request, profile, facts, decision, options, grant, report, durationMs, isKept } = captured
  const { ending } = captured.launched
  const exitCode = exitCodeOf(ending)
  const { stdout, stderr } = captured.captured
  const shown = presentOutput({
    command: request.command,
    argvs: printingArgvs(facts.invocations),
    captured: captured.captured,
    exitCode,
    ok: exitCode === 0,
    presentedChars: profile.output.presentedChars,
    filters: options.filters ?? true,
    ownFilters,
  })
  const result: Result = {
    id: request.id,
    command: request.text,
    agent: request.agent,
    claimSource: request.command.mode === 'shell' ? 'shell' : 'program',
    stdout: shown.stdout,
    stderr: shown.stderr,
    output: shown.output,
    exitCode,
    signal: ending.how === 'killed' ? ending.signal : null,
    timedOut: ending.how === 'killed' && ending.by === 'timeout',
    cancelled: ending.how === 'killed' && ending.by === 'caller',
    truncated: shown.truncated,
    durationMs,
    ending,
    decision,
    error: errorOf(ending, request.timeoutMs, shown.stderr),
    transaction: report,
    ...approvalOf(grant),
    filter: shown.filter,
    notices: noticesOf(captured),
    evidence: evidenceLines(captured.evidence, captured, ending.how === 'exited' && ending.status === 0),
    streams: { stdoutBytes: stdout.totalBytes, stderrBytes: stderr.totalBytes, kept: isKept },
  }
  return { ...captured, result }
}
