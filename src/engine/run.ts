import { narrowRule } from '../core/decide/narrow-rule.js'
import { CordonError, errorInfo } from '../core/model/errors.js'
import type { Event } from '../core/model/event.js'
import { isInside, resolvePath } from '../core/model/path.js'
import type { Plan } from '../core/model/plan.js'
import type { Profile, Rule } from '../core/model/profile.js'
import type { Result } from '../core/model/result.js'
import { type CheckedOptions, checkCommand, checkOptions } from '../core/model/run-input.js'
import { planFor, policyDigestOf } from '../core/plan/plan-for.js'
import { approvalBasis, scriptsRead } from './approval-basis.js'
import { type Considered, consider } from './consider.js'
import { emitSettled, emitter, followSignal } from './listen.js'
import { asApproved } from './opened-writes.js'
import { perform } from './perform.js'
import type { Ports } from './ports.js'
import { asCordonError, brief, type Draft, draftOf, endedByError, endedByResult, intentOf } from './record.js'
import { denial } from './refusal.js'
import type { RunContext } from './run-context.js'
import type { Run } from './tasks.js'

/**
 * request → facts → decision → plan → grant → ending → result, each end recorded. The only file that knows the order.
 * Rejects with a CordonError when nothing was run; whatever ran, however it ended, is a result.
 */
export async function run(input: unknown, rawOptions: unknown, entry: Run, context: RunContext): Promise<Result> {
  const { ports, tasks } = context
  const draft = draftOf(input, rawOptions, entry)
  const emit = emitter(rawOptions)
  const unfollow = followSignal(rawOptions, entry.abort)
  tasks.add(entry)
  let begun = false
  try {
    const { considered, plan, grant, output, relay } = await admit(input, rawOptions, draft, entry, ports)
    ports.audit.began(intentOf(draft))
    begun = true
    ports.log('info', 'started', {
      id: draft.id,
      agent: draft.agent,
      mode: considered.request.command.mode,
      command: brief(draft),
    })
    const result = await perform(considered, plan, grant, { entry, emit, output, context, relay })
    recordEnd(draft, result, ports)
    ports.log('info', 'ended', {
      id: draft.id,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      truncated: result.truncated,
    })
    emitSettled(result, emit)
    emit({
      type: 'completed',
      id: draft.id,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      error: result.error,
    })
    return result
  } catch (thrown) {
    throw refuse(asCordonError(thrown), draft, begun, emit, ports)
  } finally {
    unfollow()
    tasks.end(entry)
  }
}

/** Everything before the first effect: checked, read, decided, planned, granted. */
async function admit(input: unknown, rawOptions: unknown, draft: Draft, { abort, background }: Run, ports: Ports) {
  const { signal } = abort
  const options = checkOptions(rawOptions)
  draft.agent = options.agent ?? null
  const command = checkCommand(input)
  draft.command = command
  if (options.agent === undefined)
    ports.log('debug', 'no agent named: the default profile of the caller applies', { id: draft.id })
  const chosen = ports.profiles.profileFor(options.agent ?? null, options.profile ?? null)
  const profile = requested(chosen, options)
  draft.profile = profile.name
  draft.policyDigest = policyDigestOf(profile, ports.sha256)
  const considered = consider(draft.id, command, options, profile, ports.observer, background)
  draft.cwd = considered.request.cwd
  draft.decision = considered.decision
  if (considered.decision.verdict === 'deny') throw denial(considered.decision)
  requireProgram(considered, ports)
  const plan = planOf(considered, ports)
  draft.plan = plan
  const { request, decision } = considered
  const grant = await ports.approver.approve({
    plan,
    decision,
    text: request.text,
    approval: options.approval ?? null,
    rule: ruleFor(considered, plan),
    scripts: scriptsRead(considered),
    approvals: profile.approvals,
    signal,
  })
  const output = { keep: options.keepOutput ?? false, filters: options.filters ?? true }
  return { considered, plan, grant, output, relay: options.relay }
}

/**
 * Applies what the request says of its transaction. A review that cannot hold the changes back would be none; files that are to be
 * restored have to be secured.
 */
export function requested(profile: Profile, { review, onFailure }: CheckedOptions): Profile {
  if (!review && onFailure === undefined) return profile
  const { transaction } = profile
  const mode = review ? 'review' : onFailure === 'restore' && transaction.mode === 'off' ? 'auto' : transaction.mode
  return {
    ...profile,
    transaction: {
      ...transaction,
      mode,
      onFailure: onFailure ?? transaction.onFailure,
      required: review || transaction.required,
    },
  }
}

/** What `always` would save: nothing where the yes rests on a file that a command can write. */
export function ruleFor({ decision, facts, surroundings }: Considered, plan: Plan | null): Rule | null {
  if (decision.verdict !== 'ask') return null
  const writable = [...surroundings.roots, ...surroundings.writable]
  const rests = plan?.basis?.files.some(([path]) => writable.some((root) => isInside(path, root)))
  return rests ? null : narrowRule(facts, decision.because)
}

export const planOf = (considered: Considered, ports: Ports) => {
  const { request, profile, facts } = considered
  return planFor({
    request,
    profile,
    ...asApproved(considered, ports.observer),
    capabilities: ports.launchers.bubblewrap.probe(),
    writesAnything: facts.writesAnything,
    basis: approvalBasis(considered, ports),
    sha256: ports.sha256,
  })
}

/** Throws PROGRAM_NOT_FOUND or PROGRAM_NOT_EXECUTABLE for a program that is run without a shell, which would say so itself. */
export function requireProgram({ request: { command, cwd } }: Considered, { observer }: Ports): void {
  if (command.mode !== 'structured') return
  const { program } = command
  const isPath = program.includes('/')
  const name = isPath ? resolvePath(program, cwd) : program
  if (observer.answer([{ ask: 'program', name }]).programs.get(name)) return
  const kind = isPath ? observer.answer([{ ask: 'path', path: name }]).paths.get(name)?.kind : undefined
  if (kind === 'directory')
    throw new CordonError('PROGRAM_NOT_EXECUTABLE', `${program} is a directory. Name a program.`)
  if (kind === 'file' || kind === 'other') {
    throw new CordonError(
      'PROGRAM_NOT_EXECUTABLE',
      `${program} is not executable. Make it executable with chmod +x, or run its interpreter with it as an argument.`,
    )
  }
  const where = isPath ? 'does not exist' : 'was not found on PATH'
  throw new CordonError(
    'PROGRAM_NOT_FOUND',
    `The program ${JSON.stringify(program)} ${where}. Check its name, or install it.`,
  )
}

/** What ran has run: when its end cannot be recorded the caller is told so and still gets the result. */
function recordEnd(draft: Draft, result: Result, { audit, now }: Ports): void {
  try {
    audit.ended(endedByResult(draft, now(), result))
  } catch (thrown) {
    const { message } = asCordonError(thrown)
    throw new CordonError('AUDIT_UNAVAILABLE', `The command has run, but its end could not be recorded. ${message}`, {
      result,
    })
  }
}

function refuse(
  error: CordonError,
  draft: Draft,
  begun: boolean,
  emit: (event: Event) => void,
  { audit, log, now }: Ports,
): CordonError {
  log(error.code === 'INTERNAL' ? 'error' : 'warn', 'refused', {
    id: draft.id,
    agent: draft.agent,
    code: error.code,
    command: brief(draft),
  })
  try {
    const ended = endedByError(draft, now(), error)
    if (begun && error.code !== 'AUDIT_UNAVAILABLE') audit.ended(ended)
    else if (!begun && error.code !== 'AUDIT_UNAVAILABLE') audit.refused(intentOf(draft), ended)
  } catch (thrown) {
    // A refusal that cannot be recorded is still a refusal; the caller learns of both.
    const failure = asCordonError(thrown)
    log('error', 'not recorded', { id: draft.id, message: failure.message })
    return begun || error.code === 'AUDIT_UNAVAILABLE' ? error : failure
  }
  if (error.code === 'CONFIRMATION_REQUIRED') {
    emit({
      type: 'approval-required',
      id: draft.id,
      approval: approvalIn(error),
      because: draft.decision?.because ?? [],
    })
  }
  emit({ type: 'refused', id: draft.id, error: errorInfo(error.code, error.message) })
  return error
}

const approvalIn = ({ details }: CordonError): string | null =>
  typeof details.approval === 'string' ? details.approval : null
