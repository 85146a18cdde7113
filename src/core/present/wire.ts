import type { RuleMatch } from '../model/decision.js'
import type { CordonError, ErrorInfo } from '../model/errors.js'
import type { FilterReport, Result } from '../model/result.js'
import type { Span } from '../model/span.js'
import { reportToWire, type WireReport } from './wire-transaction.js'

export interface WireMatch {
  readonly rule: string
  readonly verdict: string
  readonly span: Span
  readonly reason: string
  readonly instead?: string
}

/** A result as JSON for tools and `--json`: snake_case, and optional parts absent rather than null. */
export interface WireResult {
  readonly id: string
  readonly command: string
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number
  readonly signal: string | null
  readonly timed_out: boolean
  readonly cancelled: boolean
  readonly truncated: boolean
  readonly duration_ms: number
  readonly agent: string | null
  readonly decision: { readonly verdict: string; readonly because: readonly WireMatch[] }
  readonly transaction?: WireReport
  readonly filter?: WireFilter
  /** What the wall stopped or took back. */
  readonly evidence?: readonly string[]
  readonly error?: ErrorInfo
}

export interface WireFilter {
  readonly filter: string
  readonly confidence: string
  readonly raw_chars: number
  readonly kept_chars: number
  readonly raw_lines: number
  readonly kept_lines: number
  readonly kept: FilterReport['kept']
}

export function toWire(result: Result): WireResult {
  const { decision, transaction, filter, evidence, error } = result
  return {
    id: result.id,
    command: result.command,
    stdout: result.stdout,
    stderr: result.stderr,
    exit_code: result.exitCode,
    signal: result.signal,
    timed_out: result.timedOut,
    cancelled: result.cancelled,
    truncated: result.truncated,
    duration_ms: result.durationMs,
    agent: result.agent,
    decision: { verdict: decision.verdict, because: decision.because.map(matchToWire) },
    ...(transaction === null ? {} : { transaction: reportToWire(transaction) }),
    ...(filter === null ? {} : { filter: filterToWire(filter) }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(error === null ? {} : { error }),
  }
}

export const errorToWire = (error: CordonError): { readonly error: ErrorInfo } => ({ error: error.info })

export const matchToWire = ({ rule, verdict, span, reason, instead }: RuleMatch): WireMatch => ({
  rule,
  verdict,
  span,
  reason,
  ...(instead === undefined ? {} : { instead }),
})

const filterToWire = (report: FilterReport): WireFilter => ({
  filter: report.filter,
  confidence: report.confidence,
  raw_chars: report.rawChars,
  kept_chars: report.keptChars,
  raw_lines: report.rawLines,
  kept_lines: report.keptLines,
  kept: report.kept,
})
