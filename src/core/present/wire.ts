import type { CordonError, ErrorInfo } from '../model/basics/errors.js'
import type { Decision } from '../model/policy/decision.js'
import type { FileDiff } from '../model/run/change.js'
import type { FilterReport, Result, TransactionReport } from '../model/run/result.js'
import { type SnakeCase, toSnakeCase } from './snake-case.js'

type Always =
  | 'id'
  | 'command'
  | 'stdout'
  | 'stderr'
  | 'exitCode'
  | 'signal'
  | 'timedOut'
  | 'cancelled'
  | 'truncated'
  | 'durationMs'
  | 'agent'

/** A result as JSON for tools and `--json`: snake_case, and optional parts absent rather than null. */
export type WireResult = SnakeCase<
  Pick<Result, Always> & {
    readonly decision: Pick<Decision, 'verdict'> & Partial<Pick<Decision, 'because'>>
    readonly notices?: Result['notices']
    readonly transaction?: TransactionReport
    readonly approval?: Result['approval']
    readonly filter?: FilterReport
    readonly evidence?: Result['evidence']
    readonly error?: ErrorInfo
  }
>

export function toWire(result: Result): WireResult {
  const { id, command, stdout, stderr, exitCode, signal, timedOut, cancelled, truncated, durationMs, agent } = result
  const { decision, transaction, approval, filter, evidence, error, notices } = result
  return toSnakeCase({
    ...{ id, command, stdout, stderr, exitCode, signal, timedOut, cancelled, truncated },
    durationMs: Math.round(durationMs),
    agent,
    decision: spoken(decision),
    ...(notices.length === 0 ? {} : { notices }),
    ...(transaction === null ? {} : { transaction }),
    ...(approval === undefined ? {} : { approval }),
    ...(filter === null ? {} : { filter }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(error === null ? {} : { error }),
  })
}

/** The verdict with the rules that spoke; a default verdict explains nothing. */
function spoken({ verdict, because }: Decision): WireResult['decision'] {
  const rules = because.filter(({ rule }) => rule !== 'default')
  return rules.length === 0 ? { verdict } : { verdict, because: rules }
}

/** An error as JSON; of a held command with the approval that it waits for. */
export function errorToWire(error: CordonError): ErrorWire {
  const approval = error.is('CONFIRMATION_REQUIRED') ? error.details.approval : undefined
  if (approval === undefined) return { error: error.info }
  return { error: error.info, approval: { id: approval.id, expires_at: approval.expires } }
}

export interface ErrorWire {
  readonly error: ErrorInfo
  readonly approval?: { readonly id: string; readonly expires_at: string }
}

/** A file of a diff as JSON: its change and its text side by side. */
export const diffToWire = ({ change, ...diff }: FileDiff): SnakeCase<FileDiff['change'] & Omit<FileDiff, 'change'>> =>
  toSnakeCase({ ...change, ...diff })
