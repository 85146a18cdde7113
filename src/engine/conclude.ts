import type { Captured } from '../core/model/captured.js'
import type { Ending } from '../core/model/ending.js'
import { type ErrorInfo, errorInfo } from '../core/model/errors.js'
import type { Grant } from '../core/model/plan.js'
import type { Result, TransactionReport } from '../core/model/result.js'
import { signalNumber } from '../core/model/signals.js'
import { classifyExit } from '../core/present/classify-exit.js'
import { present } from '../core/present/present.js'
import { printingArgvs } from '../core/present/printing-argvs.js'
import type { Considered } from './consider.js'

/** What the wire format calls the exit code: the command's own, 124 for a timeout, 130 for a cancel, 128+n for a signal. */
export function exitCodeOf(ending: Ending): number {
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

/** What came of a launch, before it is made presentable. */
export interface Outcome {
  readonly ending: Ending
  readonly captured: Captured
  readonly report: TransactionReport | null
  readonly grant: Grant
  readonly durationMs: number
  readonly evidence: readonly string[]
  /** Is the full output on disk? */
  readonly kept: boolean
  /** Cut noise by per-command filters? */
  readonly filters: boolean
}

/** ending + captured output → result. */
export function conclude({ request, profile, facts, decision }: Considered, outcome: Outcome): Result {
  const { ending, captured, report, evidence, durationMs, kept, filters, grant } = outcome
  const exitCode = exitCodeOf(ending)
  const shown = present({
    command: request.command,
    argvs: printingArgvs(facts.invocations),
    captured,
    exitCode,
    ok: exitCode === 0,
    presentedChars: profile.output.presentedChars,
    filters,
  })
  return {
    id: request.id,
    command: request.text,
    agent: request.agent,
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
    evidence,
    streams: { stdoutBytes: captured.stdout.totalBytes, stderrBytes: captured.stderr.totalBytes, kept },
  }
}
