import type { CordonError, ErrorInfo } from '../../core/model/basics/errors.js'
import { LIMITS } from '../../core/model/basics/limits.js'
import type { Ended, Intent, Outcome } from '../../core/model/run/audit.js'
import { displayCommand } from '../../core/model/run/display.js'
import type { Command } from '../../core/model/run/request.js'
import type { Result } from '../../core/model/run/result.js'
import { policyDigestOf } from '../../core/plan/plan-for.js'
import { maskSecrets } from '../../core/present/mask.js'
import type { Ports } from '../ports/ports.js'
import type { KnownRequest } from './nouns.js'

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

const commandText = ({ command, shown }: KnownRequest): string => (command ? displayCommand(command) : shown)

/** Returns the command as log lines show it: masked, then shortened. */
export const shortCommand = (known: KnownRequest): string => {
  const text = maskSecrets(commandText(known))
  return text.length > LIMITS.loggedCommandChars ? `${text.slice(0, LIMITS.loggedCommandChars)}…` : text
}

/** Returns the intent of a request as far as it came: what was not reached is null. */
export function intentOf(known: KnownRequest, sha256: Ports['sha256']): Intent {
  const { id, at, agent, caller, decision, profile, grant, traceparent, toolCallId, toolName } = known
  const command = known.command === undefined ? null : masked(known.command)
  const match = decision?.because[0]
  return {
    id,
    at: iso(at),
    agent,
    caller,
    ...kindOf(known),
    command: command ? displayCommand(command) : maskSecrets(known.shown),
    request: command,
    cwd: known.request?.cwd ?? null,
    profile: profile?.name ?? '',
    verdict: decision?.verdict ?? null,
    rule: match?.rule ?? null,
    reason: match ? maskSecrets(match.reason) : null,
    planDigest: known.plan?.digest ?? null,
    policyDigest: profile ? policyDigestOf(profile, sha256) : null,
    ...(grant?.approval ? { approval: grant.approval } : {}),
    ...(grant?.approver ? { approver: grant.approver } : {}),
    ...(traceparent ? { traceparent } : {}),
    ...(toolCallId ? { toolCallId } : {}),
    ...(toolName ? { toolName } : {}),
  }
}

function kindOf({ isFileTool, isOtherCall, command }: KnownRequest): Pick<Intent, 'tool' | 'claimSource'> {
  if (isOtherCall) return { tool: 'call' }
  if (isFileTool) return { tool: 'file', claimSource: 'file' }
  return command?.mode === 'structured'
    ? { tool: 'exec', claimSource: 'program' }
    : { tool: 'bash', claimSource: 'shell' }
}

/** The ending of a call that was no command, and succeeded. */
export const endedByCall = (known: KnownRequest, at: number): Ended => ended(known, at, 'success', null)

/** Returns the ending of a request that started no process. */
export function ended(
  known: Pick<KnownRequest, 'id' | 'at'>,
  at: number,
  outcome: Outcome,
  error: ErrorInfo | null,
): Ended {
  return {
    id: known.id,
    at: iso(at),
    outcome,
    exitCode: null,
    signal: null,
    durationMs: Math.max(0, at - known.at),
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
export const endedByError = (known: KnownRequest, at: number, error: CordonError): Ended =>
  ended(known, at, outcomeOf(error), error.info)

/** The ending of a request that its caller runs elsewhere. */
export const endedByLeave = (known: KnownRequest, at: number): Ended => ended(known, at, 'authorized', null)

/** The ending of a request that ran. */
export function endedByResult(known: KnownRequest, at: number, result: Result): Ended {
  const rolledBack = result.transaction?.outcome === 'rolled-back'
  const ran = result.timedOut ? 'timeout' : result.cancelled ? 'cancelled' : result.exitCode === 0 ? 'success' : 'error'
  return {
    ...ended(known, at, rolledBack && ran === 'error' ? 'rollback' : ran, result.error),
    exitCode: result.exitCode,
    signal: result.signal,
    durationMs: result.durationMs,
    truncated: result.truncated,
    restored: result.transaction?.restored ?? 0,
    deleted: result.transaction?.deleted ?? 0,
    ...transactionOf(result),
    ...(result.evidence.length > 0 ? { evidence: result.evidence.map(maskSecrets) } : {}),
  }
}

function transactionOf({ transaction }: Result): Pick<Ended, 'transaction'> {
  if (!transaction || transaction.outcome === 'none') return {}
  return { transaction: { id: transaction.id ?? null, outcome: transaction.outcome } }
}
