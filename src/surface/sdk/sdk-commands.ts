import type * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Approval } from '../../core/model/policy/approval.js'
import { reasonsOf } from '../../core/model/policy/decision.js'
import type { OnEvent } from '../../core/model/run/event.js'
import type { Result } from '../../core/model/run/result.js'
import { toText } from '../../core/present/text-form.js'
import type { Engine } from '../../engine/api.js'
import type { BashParameters } from '../tools/parameters.js'
import { milliseconds } from '../tools/run-tool.js'

/** The part of Cordon that an adapter uses. */
export type SdkCordon = Pick<Engine, 'run' | 'check' | 'authorize' | 'approvals'>

/** Set by the application, never by the model. */
export interface SdkOptions {
  readonly agent?: string | undefined
  readonly profile?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly onEvent?: OnEvent | undefined
}

/** A command as the model describes it. */
export interface SdkCommand {
  readonly command: string
  readonly cwd?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** Arguments of the tool `bash`, before their defaults are filled in. */
export type BashInput = z.input<typeof BashParameters>

/** The command of a call of the tool `bash`. */
export const commandOf = ({ command, cwd, timeout }: BashInput): SdkCommand => ({
  command,
  cwd,
  timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
})

export interface SdkAnswer {
  readonly text: string
  readonly success: boolean
  /** Null for a command that was not started. */
  readonly result: Result | null
  readonly error: CordonError | null
}

export interface AnswerOptions {
  readonly signal?: AbortSignal | undefined
  /** The call that a person has said yes to, in the SDK's own way. */
  readonly approvedCall?: string | undefined
}

export interface Question {
  readonly reasons: string
  /** The command was held by this very call of `ask`, so nobody can have answered yet. */
  readonly isNew: boolean
}

export interface SdkCommands {
  /** Holds a command that a person must be asked about. Null if nobody needs to be asked. */
  ask(callId: string, command: SdkCommand): Promise<Question | null>
  /** Returns the reasons that `ask` gave for the call. */
  reasons(callId: string): string | null
  /** Runs a command. A refusal is an answer that the model can read. */
  answer(command: SdkCommand, options?: AnswerOptions): Promise<SdkAnswer>
}

/** Calls that a person may still answer. A call beyond this limit is held again. */
const MAX_ASKED = 256
/** Another approved call of the same command can use up the same approval first. This call is then approved anew. */
const MAX_ROUNDS = 3

/**
 * Runs the tool calls of an SDK. The yes of a person counts for the plan that was held when the SDK asked, once: the
 * command is decided again, and a plan with another digest finds no yes.
 */
export function sdkCommands(cordon: SdkCordon, options: SdkOptions = {}): SdkCommands {
  const asked = new Map<string, Asked>()

  const run = async (command: SdkCommand, signal: AbortSignal | undefined): Promise<SdkAnswer> => {
    try {
      return answerOf(await cordon.run(command.command, { ...requestOf(command, options), signal }))
    } catch (thrown) {
      return failed(thrown)
    }
  }

  /** Digests of the plans that the person was shown. Those of an earlier process are still held in the store. */
  const approvedDigests = (callId: string | undefined): ReadonlySet<string> => {
    if (callId === undefined) return new Set()
    const held = asked.get(callId)
    asked.delete(callId)
    if (held) return new Set([held.digest])
    return new Set(cordon.approvals.list().flatMap(({ state, digest }) => (state === 'pending' ? [digest] : [])))
  }

  return {
    async ask(callId, command) {
      const known = asked.get(callId)
      if (known?.command === command.command) return { reasons: known.reasons, isNew: false }
      const held = await hold(cordon, command, options)
      if (held === null) return null
      const { reasons, isNew } = held
      asked.set(callId, held)
      for (const oldest of [...asked.keys()].slice(0, -MAX_ASKED)) asked.delete(oldest)
      return { reasons, isNew }
    },
    reasons: (callId) => asked.get(callId)?.reasons ?? null,
    async answer(command, { signal, approvedCall } = {}) {
      const approved = approvedDigests(approvedCall)
      let answer = await run(command, signal)
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const held = heldBy(cordon, answer.error)
        if (held === null || !approved.has(held.digest)) break
        approve(cordon, held)
        answer = await run(command, signal)
      }
      return answer
    },
  }
}

/** The held plan that a person is asked about. */
interface Asked extends Question {
  readonly command: string
  readonly digest: string
}

const requestOf = ({ cwd, timeoutMs }: SdkCommand, options: SdkOptions) =>
  ({ ...options, caller: 'tool', cwd, timeoutMs }) as const

/** Holds a command. Null for one that would run, or be refused: its answer says so. */
async function hold(cordon: SdkCordon, command: SdkCommand, options: SdkOptions): Promise<Asked | null> {
  const request = requestOf(command, options)
  try {
    const { verdict, plan } = cordon.check(command.command, request)
    if (verdict !== 'ask' || plan === null) return null
    const before = cordon.approvals.list().filter(({ digest }) => digest === plan.digest)
    if (before.some(({ state }) => state === 'approved')) return null
    const held = await cordon.authorize(command.command, request).then(
      () => null,
      (thrown) => heldBy(cordon, thrown),
    )
    if (held === null) return null
    const isNew = !before.some(({ id }) => id === held.id)
    return { command: command.command, digest: held.digest, reasons: reasonsOf(held.because).join(' '), isNew }
  } catch (thrown) {
    if (thrown instanceof CordonError) return null
    throw thrown
  }
}

/** The first answer counts: a no from another terminal stays a no, which the next run reports. */
function approve({ approvals }: SdkCordon, { id }: Approval): void {
  try {
    approvals.answer(id, 'approved')
  } catch (thrown) {
    if (!(thrown instanceof CordonError) || thrown.code !== 'APPROVAL_INVALID') throw thrown
  }
}

/** Returns the held command that an error names. */
function heldBy({ approvals }: SdkCordon, thrown: unknown): Approval | null {
  if (!(thrown instanceof CordonError) || !thrown.is('CONFIRMATION_REQUIRED')) return null
  const held = thrown.details.approval?.id
  return approvals.list().find(({ id }) => id === held) ?? null
}

function answerOf(result: Result): SdkAnswer {
  const success = result.exitCode === 0 && !result.timedOut && !result.cancelled
  return { text: toText(result), success, result, error: null }
}

function failed(thrown: unknown): SdkAnswer {
  if (!(thrown instanceof CordonError)) throw thrown
  return { text: thrown.message, success: false, result: null, error: thrown }
}
