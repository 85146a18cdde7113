import { CordonError } from '../../core/model/basics/errors.js'
import { type Decision, reasonsOf } from '../../core/model/policy/decision.js'
import type { Engine } from '../../engine/api.js'
import { dialectOf } from './dialects/dialect-of.js'
import { isRecord, textAt } from './dialects/fields.js'
import type { Dialect, HookAgent, HookAnswer, HookCall, Payload } from './dialects/hook-call.js'
import { blocked, type HookReply, replyOf } from './reply.js'

/** The engine in the project of one call. */
export interface HookEngine extends Pick<Engine, 'authorize' | 'authorizeFiles'> {
  /** `cordon-shell` runs the allowed commands, in the sandbox. */
  readonly hasShell: boolean
  /** Leaves a pass for the shell: it must not ask again about what a person was asked about here. */
  leavePass(pass: { readonly digest: string; readonly approval: string; readonly by: 'dialog' | 'grant' }): void
  close(): void
}

export interface HookPlace {
  readonly agent: HookAgent
  readonly cwd: string | null
  /** The shell that the extension in the agent says it starts. */
  readonly shell: string | null
}

export type OpenHookEngine = (place: HookPlace) => HookEngine

/** Answers one call of an agent's hook. Never rejects: what cannot be read, or decided, is denied. */
export async function answerHook(text: string, name: HookAgent | null, open: OpenHookEngine): Promise<HookReply> {
  const payload = parsed(text)
  const dialect = dialectOf(payload, name)
  if (dialect === null) return blocked(UNKNOWN_AGENT)
  if (payload === null) return replyOf(dialect, null, { verdict: 'deny', reason: UNREADABLE })
  try {
    return replyOf(dialect, payload, await judge(dialect, payload, open))
  } catch (thrown) {
    return replyOf(dialect, payload, { verdict: 'deny', reason: failure(thrown) })
  }
}

const UNREADABLE = 'Cordon cannot read what the agent sent to its hook, so the command is not run. Try again.'
const UNKNOWN_AGENT =
  'Cordon cannot tell which agent called its hook. Register the hook with the name of the agent: `cordon hook <agent>`.'

export const failure = (thrown: unknown): string =>
  thrown instanceof CordonError
    ? thrown.message
    : `Cordon failed to decide, so the command is not run: ${thrown instanceof Error ? thrown.message : String(thrown)}.`

function parsed(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

async function judge(dialect: Dialect, payload: Payload, open: OpenHookEngine): Promise<HookAnswer | null> {
  const call = dialect.read(payload)
  if (call.kind === 'other') return null
  if (call.kind === 'unreadable') return { verdict: 'deny', reason: `${call.problem} It is not run.` }
  const { agent } = dialect
  const engine = open({ agent, cwd: call.cwd, shell: textAt(payload, 'shell') })
  try {
    return call.kind === 'files'
      ? judgeFiles(call, agent, engine)
      : await judgeCommand(call, agent, dialect.canAsk(payload), engine)
  } finally {
    engine.close()
  }
}

type Call<Kind extends HookCall['kind']> = Extract<HookCall, { kind: Kind }>

function judgeFiles({ paths, cwd, tool }: Call<'files'>, agent: HookAgent, engine: HookEngine): HookAnswer | null {
  const { verdict, because } = engine.authorizeFiles(paths, { agent, tool, cwd: cwd ?? undefined, caller: 'hook' })
  return verdict === null ? null : { verdict, reason: reasonsOf(because).join(' ') }
}

async function judgeCommand(
  { command, cwd }: Call<'shell'>,
  agent: HookAgent,
  canAsk: boolean,
  engine: HookEngine,
): Promise<HookAnswer | null> {
  const { hasShell } = engine
  try {
    const options = {
      agent,
      cwd: cwd ?? undefined,
      caller: 'hook',
      timeoutMs: 'none',
      outsideSandbox: !hasShell,
    } as const
    const { digest, approval } = await engine.authorize(command, options)
    if (hasShell && approval !== null) engine.leavePass({ digest, approval, by: 'grant' })
    return null
  } catch (thrown) {
    const held = heldIn(thrown)
    if (held === null || !canAsk) return { verdict: 'deny', reason: failure(thrown) }
    const { digest, approval, because } = held
    if (hasShell) engine.leavePass({ digest, approval, by: 'dialog' })
    const later = `If nobody can answer here, a person can run \`cordon approve ${approval}\`; then repeat the same command.`
    return { verdict: 'ask', reason: [...reasonsOf(because), later].join(' ') }
  }
}

interface Held {
  readonly digest: string
  readonly approval: string
  readonly because: Decision['because']
}

function heldIn(thrown: unknown): Held | null {
  if (!(thrown instanceof CordonError) || !thrown.is('CONFIRMATION_REQUIRED')) return null
  const { digest, approval, decision } = thrown.details
  if (digest === undefined || approval === undefined) return null
  return { digest, approval: approval.id, because: (decision as Decision | undefined)?.because ?? [] }
}
