import type { Dialect, HookAnswer, Payload } from './dialects/hook-call.js'

/** The output and exit status of a hook's process. Nothing else may reach its stdout. */
export interface HookReply {
  readonly stdout: string
  /** For stderr, with exit status 2, if stdout has no reader. */
  readonly reason: string
  readonly stderr: string
  readonly exit: number
}

/**
 * Words an answer as the agent reads it. For an unknown agent, a refusal is exit status 2 with the reason on
 * stderr.
 */
export function replyOf(dialect: Dialect | null, payload: Payload | null, answer: HookAnswer | null): HookReply {
  if (dialect === null) return answer === null ? silence : blocked(answer.reason)
  const written = dialect.write(answer, payload)
  if (written === null) return silence
  const reason = answer?.reason ?? 'Cordon has no opinion, and could not say so.'
  return { stdout: `${JSON.stringify(written)}\n`, reason, stderr: '', exit: 0 }
}

const silence: HookReply = { stdout: '', reason: '', stderr: '', exit: 0 }

/** Every known agent takes exit status 2 with a text on stderr for a refusal. */
export const blocked = (reason: string): HookReply => ({
  stdout: '',
  reason,
  stderr: `${reason}\n`,
  exit: 2,
})
