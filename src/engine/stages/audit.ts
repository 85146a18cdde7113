import { CordonError, errorInfo } from '../../core/model/basics/errors.js'
import type { Result } from '../../core/model/run/result.js'
import { asCordonError } from '../errors/as-cordon-error.js'
import type { DecidingPorts } from '../ports/ports.js'
import { type Emit, emitChanges } from '../tasks/caller-events.js'
import { endedByError, endedByLeave, endedByResult, intentOf, shortCommand } from './audit-entries.js'
import type { ApprovedRequest, KnownRequest, PresentedRequest, RecordedRequest } from './nouns.js'

/** Records what is going to run. Returns only when that is durable; throws AUDIT_UNAVAILABLE. */
export function recordIntent(approved: ApprovedRequest, { audit, log, sha256 }: DecidingPorts): RecordedRequest {
  const { id, agent, request } = approved
  const mode = request.command.mode
  if (agent === null)
    log('warn', 'no agent named: the default profile of the caller applies', {
      id,
      mode,
      command: shortCommand(approved),
    })
  audit.began(intentOf(approved, sha256))
  log('info', 'started', { id, agent, mode, command: shortCommand(approved) })
  return { ...approved, isRecorded: true }
}

/** Records that a command may run elsewhere. Nothing will tell how it ends. Throws AUDIT_UNAVAILABLE. */
export function recordAuthorized(approved: ApprovedRequest, { audit, log, now, sha256 }: DecidingPorts): void {
  const { id, agent, request } = approved
  audit.refused(intentOf(approved, sha256), endedByLeave(approved, now()))
  log('info', 'authorized', { id, agent, mode: request.command.mode, command: shortCommand(approved) })
}

/** Records how a command ended, tells the listener, and returns the result. */
export function audit(presented: PresentedRequest, ports: DecidingPorts, emit: Emit): Result {
  const { id, result } = presented
  const { exitCode, durationMs, truncated, error } = result
  recordEnd(presented, ports)
  ports.log('info', 'ended', { id, exitCode, durationMs, truncated })
  logNotes(result, ports.log)
  emitChanges(result, emit)
  const { command, streams: output, filter } = result
  emit({ type: 'completed', id, command, success: exitCode === 0, exitCode, durationMs, output, filter, error })
  return result
}

/** Writes a line for each thing that happened to a command besides its end. */
function logNotes({ id, transaction, filter }: Result, log: DecidingPorts['log']): void {
  const { outcome, restored = 0, deleted = 0, warning = null } = transaction ?? {}
  if (outcome === 'rolled-back') log('warn', 'rolled back', { id, restored, deleted })
  if (warning !== null) log('warn', 'no snapshot', { id, warning })
  if (filter !== null)
    log('debug', 'filtered', { id, filter: filter.filter, rawChars: filter.rawChars, keptChars: filter.keptChars })
}

/** Records the end of a run. If that fails, the caller gets the error and the result. */
function recordEnd(presented: PresentedRequest, { audit, now }: DecidingPorts): void {
  const { result } = presented
  try {
    audit.ended(endedByResult(presented, now(), result), result)
  } catch (thrown) {
    const { message } = asCordonError(thrown)
    throw new CordonError('AUDIT_UNAVAILABLE', `The command has run, but its end could not be recorded. ${message}`, {
      result,
    })
  }
}

/** Records a request that came to no result, tells the listener, and returns the error for the caller. */
export function auditRefusal(thrown: unknown, known: KnownRequest, ports: DecidingPorts, emit: Emit): CordonError {
  const error = asCordonError(thrown)
  const { id, agent } = known
  const { code, message } = error
  const rule = known.decision?.because[0]?.rule
  ports.log(code === 'INTERNAL' ? 'error' : 'warn', 'refused', {
    ...{ id, agent, code, command: shortCommand(known) },
    ...(rule === undefined ? {} : { rule }),
  })
  const failure = recordRefusal(error, known, ports)
  if (failure !== null) return failure
  if (code === 'CONFIRMATION_REQUIRED') {
    emit({ type: 'approval-required', id, approval: approvalIn(error), because: known.decision?.because ?? [] })
  }
  emit({ type: 'refused', id, error: errorInfo(code, message) })
  return error
}

/**
 * Returns null where it was recorded. A refusal that cannot be recorded is still a refusal; the caller learns of
 * both.
 */
function recordRefusal(
  error: CordonError,
  known: KnownRequest,
  { audit, log, now, sha256 }: DecidingPorts,
): CordonError | null {
  try {
    const ended = endedByError(known, now(), error)
    if (error.code === 'AUDIT_UNAVAILABLE') return null
    if (known.isRecorded) audit.ended(ended)
    else audit.refused(intentOf(known, sha256), ended)
    return null
  } catch (thrown) {
    const failure = asCordonError(thrown)
    log('error', 'not recorded', { id: known.id, message: failure.message })
    return known.isRecorded ? error : failure
  }
}

const approvalIn = (error: CordonError): string | null =>
  error.is('CONFIRMATION_REQUIRED') ? (error.details.approval?.id ?? null) : null
