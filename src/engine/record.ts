import type { Ended, Intent, Outcome } from '../core/model/audit.js'
import type { Decision } from '../core/model/decision.js'
import { displayCommand } from '../core/model/display.js'
import { CordonError, type ErrorInfo } from '../core/model/errors.js'
import { LIMITS } from '../core/model/limits.js'
import type { Plan } from '../core/model/plan.js'
import type { Caller, Command } from '../core/model/request.js'
import type { Result } from '../core/model/result.js'
import { maskSecrets } from '../core/present/mask.js'
import { hostFailure } from './host-failure.js'
import { checkedField } from './listen.js'
import type { Run } from './tasks.js'

/** What is known of a request at whatever stage it ended; the rest is null. */
export interface Draft {
  readonly id: string
  readonly at: number
  readonly caller: Caller
  agent: string | null
  command: Command | null
  /** Shown when the command could not even be read as one. */
  fallback: string
  cwd: string | null
  profile: string
  policyDigest: string | null
  decision: Decision | null
  plan: Plan | null
}

const iso = (ms: number): string => new Date(ms).toISOString()

const masked = (command: Command): Command =>
  command.mode === 'shell'
    ? { mode: 'shell', script: maskSecrets(command.script) }
    : { mode: 'structured', program: command.program, args: maskArguments(command.program, command.args) }

/** `--password x` is two arguments: masking them one by one would not see it. */
function maskArguments(program: string, args: readonly string[]): readonly string[] {
  const alone = args.map(maskSecrets)
  return alone.map((arg, i) => {
    const pair = `${i === 0 ? program : args[i - 1]} ${args[i]}`
    return maskSecrets(pair).endsWith(args[i] ?? '')
      ? arg
      : maskSecrets(pair).slice((i === 0 ? program : (args[i - 1] ?? '')).length + 1)
  })
}

export const textOf = (draft: Draft): string => (draft.command ? displayCommand(draft.command) : draft.fallback)

/** The command as log lines show it: masked, then shortened. */
export const brief = (draft: Draft): string => {
  const text = maskSecrets(textOf(draft))
  return text.length > LIMITS.loggedCommandChars ? `${text.slice(0, LIMITS.loggedCommandChars)}…` : text
}

export function intentOf(draft: Draft): Intent {
  const command = draft.command && masked(draft.command)
  const match = draft.decision?.because[0]
  return {
    id: draft.id,
    at: iso(draft.at),
    agent: draft.agent,
    caller: draft.caller,
    tool: draft.command?.mode === 'structured' ? 'exec' : 'bash',
    command: command ? displayCommand(command) : maskSecrets(draft.fallback),
    request: command,
    cwd: draft.cwd,
    profile: draft.profile,
    verdict: draft.decision?.verdict ?? null,
    rule: match?.rule ?? null,
    reason: match ? maskSecrets(match.reason) : null,
    planDigest: draft.plan?.digest ?? null,
    policyDigest: draft.policyDigest,
  }
}

function ended(draft: Draft, at: number, outcome: Outcome, error: ErrorInfo | null): Ended {
  return {
    id: draft.id,
    at: iso(at),
    outcome,
    exitCode: null,
    signal: null,
    durationMs: Math.max(0, at - draft.at),
    truncated: false,
    errorCode: error?.code ?? null,
    errorCategory: error?.category ?? null,
    errorDomain: error?.domain ?? null,
    errorPhase: error?.phase ?? null,
    message: error ? maskSecrets(error.message) : null,
    restored: 0,
    deleted: 0,
  }
}

function outcomeOf(error: CordonError): Outcome {
  if (error.code === 'CONFIRMATION_REQUIRED' || error.code === 'APPROVAL_INVALID') return 'held'
  if (error.code === 'CANCELLED') return 'cancelled'
  if (error.info.category === 'policy-blocked') return 'blocked'
  return error.info.category === 'invalid-input' ? 'invalid' : 'error'
}

/** The ending of a request that started nothing, or that broke on the way. */
export const endedByError = (draft: Draft, at: number, error: CordonError): Ended =>
  ended(draft, at, outcomeOf(error), error.info)

/** The ending of a request that ran. */
export function endedByResult(draft: Draft, at: number, result: Result): Ended {
  const rolledBack = result.transaction?.outcome === 'rolled-back'
  const ran = result.timedOut ? 'timeout' : result.cancelled ? 'cancelled' : result.exitCode === 0 ? 'success' : 'error'
  return {
    ...ended(draft, at, rolledBack && ran === 'error' ? 'rollback' : ran, result.error),
    exitCode: result.exitCode,
    signal: result.signal,
    durationMs: result.durationMs,
    truncated: result.truncated,
    restored: result.transaction?.restored ?? 0,
    deleted: result.transaction?.deleted ?? 0,
    ...transactionOf(result),
    ...(result.evidence.length > 0 ? { evidence: result.evidence } : {}),
  }
}

function transactionOf({ transaction }: Result): Pick<Ended, 'transaction'> {
  if (!transaction || transaction.outcome === 'none') return {}
  return { transaction: { id: transaction.id ?? null, outcome: transaction.outcome } }
}

/** Anything thrown, as the one error type. An error that is neither ours nor the host's is a defect, and says so without a stack. */
export function asCordonError(thrown: unknown): CordonError {
  if (thrown instanceof CordonError) return thrown
  const message = `A defect in Cordon: ${thrown instanceof Error ? thrown.message : String(thrown)}. Please report it.`
  return hostFailure(thrown) ?? new CordonError('INTERNAL', message, { cause: thrown })
}

/** What is known of a request before anything of it was checked. */
export function draftOf(input: unknown, rawOptions: unknown, entry: Run): Draft {
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
    policyDigest: null,
    decision: null,
    plan: null,
  }
}
