import { setTimeout as delay } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Approval } from '../../core/model/policy/approval.js'
import type { McpEngine } from './mcp-engine.js'

/**
 * The answers that a person can give in a client's form. `always` is missing on purpose: the client of a model must
 * not change settings.
 */
const Content = z.object({
  decision: z.enum(['allow_once', 'allow_session', 'deny']),
  note: z.string().max(2_000).optional(),
})

/** `unanswered`: the client closed the form, or has none. The command stays held. */
export type FormAnswer =
  | { readonly verdict: 'approved' | 'session' | 'denied'; readonly note?: string | undefined }
  | 'unanswered'

/** Says whether the client shows forms to a person. */
export function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const declared = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as
    | ClientCapabilities
    | undefined
  const elicitation = (declared ?? server.server.getClientCapabilities())?.elicitation
  if (elicitation === undefined) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

/** The form about a held command: the exact command, where it would run and why it is held. */
export const formFor = ({ command, cwd, because, scripts }: Approval) => ({
  message: [
    'Cordon holds this command until you decide:',
    shown(command),
    `in ${shown(cwd)}`,
    ...because.map(({ reason }) => `- ${shown(reason)}`),
    ...scripts.map(([path]) => `It runs the script ${shown(path)}.`),
  ].join('\n'),
  requestedSchema: {
    type: 'object' as const,
    properties: {
      decision: {
        type: 'string' as const,
        title: 'Decision',
        oneOf: [
          { const: 'allow_once', title: 'Allow once' },
          { const: 'allow_session', title: 'Allow this command for the session' },
          { const: 'deny', title: 'Deny' },
        ],
      },
      note: { type: 'string' as const, title: 'Note for the model', maxLength: 2_000 },
    },
    required: ['decision'],
  },
})

export const requestFor = (approval: Approval) => inputRequired.elicit(formFor(approval))

/** Reads a client's answer. Anything but a clear yes is no yes: `decline` is a no, `cancel` leaves the command held. */
export function answerOf(given: { readonly action: string; readonly content?: unknown }): FormAnswer {
  if (given.action === 'decline') return { verdict: 'denied' }
  if (given.action !== 'accept') return 'unanswered'
  const content = Content.safeParse(given.content).data
  if (content === undefined) return 'unanswered'
  const { note } = content
  const verdict = ({ allow_once: 'approved', allow_session: 'session', deny: 'denied' } as const)[content.decision]
  return { verdict, note }
}

/** Characters that a form could hide or that could rearrange its text, as escapes. */
const shown = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

export function heldCommand({ approvals }: Pick<McpEngine, 'approvals'>, id: string): Approval {
  const found = approvals.list().find((approval) => approval.id === id)
  if (found === undefined) throw new CordonError('NOT_FOUND', `There is no approval ${JSON.stringify(id)}.`)
  return found
}

const POLL_MS = 400

/** Waits until a person has answered at another terminal. Returns false when nobody did in time. */
export async function waitForAnswer(
  engine: Pick<McpEngine, 'approvals'>,
  id: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + waitMs
  while (!signal.aborted) {
    if (heldCommand(engine, id).state !== 'pending') return true
    const left = until - performance.now()
    if (left <= 0) return false
    await delay(Math.min(POLL_MS, left), undefined, { signal }).catch(() => {})
  }
  return false
}
