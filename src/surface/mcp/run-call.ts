import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Approval } from '../../core/model/policy/approval.js'
import { answerOf, canAsk, type FormAnswer, formFor, heldCommand, requestFor, waitForAnswer } from './ask-person.js'
import type { ToolAnswer } from './mcp-engine.js'
import { type CallProgress, progressFor } from './progress.js'
import { failed, shownResult } from './result-text.js'
import { type AskedState, type Serving, WAIT_MS } from './serving.js'
import { traceparentOf } from './traceparent.js'

/** One call of `bash` or `exec`, on one protocol instance. */
export interface Call {
  readonly server: McpServer
  readonly era: 'legacy' | 'modern'
  readonly name: string
  readonly args: unknown
  readonly context: ServerContext
}

/** A longer command cannot be read in a client's form. It waits for `cordon approve`. */
const MAX_FORM_CHARS = 20_000

/**
 * Runs a command. One that is held is asked about: in the client's own form where it has one, else at another
 * terminal. The yes is stored for the digest of the held plan, and the command is decided again, so that a changed
 * command finds no yes.
 */
export async function runCall(serving: Serving, call: Call): Promise<CallToolResult | InputRequiredResult> {
  const progress = progressFor(call.context)
  try {
    return await decided(serving, call, progress)
  } catch (thrown) {
    if (thrown instanceof CordonError) return failed(thrown)
    throw thrown
  } finally {
    progress.end()
  }
}

async function decided(
  serving: Serving,
  call: Call,
  progress: CallProgress,
): Promise<CallToolResult | InputRequiredResult> {
  const { context, server, era } = call
  const asked = context.mcpReq.requestState<AskedState>()
  if (asked !== undefined) {
    const view = inputResponse(context.mcpReq.inputResponses, 'approval')
    store(serving, asked.approval, view.kind === 'elicit' ? answerOf(view) : 'unanswered')
    return shownResult(await execute(serving, call, progress), serving.records)
  }
  const first = await execute(serving, call, progress)
  const id = heldId(first)
  if (id === null) return shownResult(first, serving.records)
  const held = heldCommand(serving.engine, id)
  const hasForm = canAsk(server, context) && held.command.length <= MAX_FORM_CHARS
  if (hasForm && era === 'modern') {
    const requestState = await serving.asked.mint({ approval: id })
    return inputRequired({ inputRequests: { approval: requestFor(held) }, requestState })
  }
  progress.say(`waiting for approval ${id}`)
  const isAnswered = hasForm ? await askByForm(serving, call, held) : await waitElsewhere(serving, call, id)
  return shownResult(isAnswered ? await execute(serving, call, progress) : first, serving.records)
}

function execute({ engine, identity }: Serving, { name, args, context }: Call, { onEvent }: CallProgress) {
  const { agent, profile } = identity
  return engine.tools.execute({
    id: String(context.mcpReq.id),
    name,
    arguments: args ?? {},
    signal: context.mcpReq.signal,
    context: { caller: 'mcp', agent, profile, keepOutput: true, onEvent, traceparent: traceparentOf(context) },
  })
}

/** The approval that a held command waits for; null for any other answer. */
function heldId({ error, json }: ToolAnswer): string | null {
  if (error?.code !== 'CONFIRMATION_REQUIRED') return null
  const { approval } = json as { readonly approval?: { readonly id: string } }
  return approval?.id ?? null
}

/** Stores what the person said. The first answer counts: throws APPROVAL_INVALID for one that comes again. */
function store({ engine }: Serving, id: string, answer: FormAnswer): boolean {
  if (answer === 'unanswered') return false
  engine.approvals.answer(id, answer.verdict, answer.note)
  return true
}

const waitElsewhere = ({ engine, identity }: Serving, { context }: Call, id: string): Promise<boolean> =>
  waitForAnswer(engine, id, identity.waitMs ?? WAIT_MS, context.mcpReq.signal)

/** Asks in the client's form; an answer given at another terminal meanwhile closes it. */
async function askByForm(serving: Serving, { context: { mcpReq } }: Call, held: Approval): Promise<boolean> {
  const stop = new AbortController()
  const signal = AbortSignal.any([mcpReq.signal, stop.signal])
  const timeout = Math.max(1, Date.parse(held.expiresAt) - Date.now())
  const here = mcpReq.elicitInput(formFor(held), { signal, timeout, maxTotalTimeout: timeout }).then(
    (given) => answerOf(given),
    () => 'unanswered' as const,
  )
  const elsewhere = waitForAnswer(serving.engine, held.id, timeout, signal)
  try {
    const first = await Promise.race([here, elsewhere])
    return typeof first === 'boolean' ? first : store(serving, held.id, first)
  } finally {
    stop.abort()
  }
}
