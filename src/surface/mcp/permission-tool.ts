import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import { waitForAnswer } from './ask-person.js'
import { progressFor } from './progress.js'
import { textResult } from './result-text.js'
import { type Serving, WAIT_MS } from './serving.js'
import { traceparentOf } from './traceparent.js'

/** The input that Claude Code sends to the tool of `--permission-prompt-tool`. */
export const PermissionParameters = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
})

/**
 * Answers Claude Code where it would ask a person and has no terminal. A command that needs one is held, and waits
 * for an answer from another terminal. A model that calls this tool learns the verdict and starts nothing.
 */
export async function permission(
  serving: Serving,
  { tool_name: tool, input }: z.infer<typeof PermissionParameters>,
  context: ServerContext,
): Promise<CallToolResult> {
  const { command } = input
  if (tool !== 'Bash' || typeof command !== 'string')
    return denied(`Cordon decides about shell commands only, so a person must allow the tool ${tool}.`)
  const progress = progressFor(context)
  try {
    await authorized(serving, command, context)
    return textResult(JSON.stringify({ behavior: 'allow', updatedInput: input }))
  } catch (thrown) {
    if (thrown instanceof CordonError) return denied(thrown.message)
    throw thrown
  } finally {
    progress.end()
  }
}

async function authorized({ engine, identity }: Serving, command: string, context: ServerContext): Promise<void> {
  const { agent, profile } = identity
  const traceparent = traceparentOf(context)
  const ask = () => engine.authorize(command, { caller: 'mcp', agent, profile, traceparent, outsideSandbox: true })
  try {
    await ask()
  } catch (thrown) {
    const isHeld = thrown instanceof CordonError && thrown.is('CONFIRMATION_REQUIRED')
    const id = isHeld ? thrown.details.approval?.id : undefined
    if (id === undefined) throw thrown
    if (!(await waitForAnswer(engine, id, identity.waitMs ?? WAIT_MS, context.mcpReq.signal))) throw thrown
    await ask()
  }
}

const denied = (message: string): CallToolResult => textResult(JSON.stringify({ behavior: 'deny', message }))
