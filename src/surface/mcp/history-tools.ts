import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import { shortId } from '../../core/model/basics/id.js'
import type { TransactionRecord } from '../../core/model/run/change.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { failed, textResult } from './result-text.js'

export const HistoryParameters = z.strictObject({
  limit: z.int().min(1).max(50).optional().describe('How many, newest first. Default: 10.'),
})

export const UndoParameters = z.strictObject({
  id: z.string().describe('The undo id of a run.'),
  paths: z.array(z.string()).optional().describe('Only these files. Default: all.'),
})

const DEFAULT_LIMIT = 10

/** `history`: past changes of this workspace, newest first. */
export function history(
  { transactions }: Pick<McpEngine, 'transactions'>,
  { limit = DEFAULT_LIMIT }: z.infer<typeof HistoryParameters>,
): Promise<CallToolResult> {
  return answered(async () => {
    const records = transactions.history({ limit })
    return records.length === 0 ? 'No command has changed anything yet.' : records.map(line).join('\n')
  })
}

/**
 * `undo`: takes back what one run changed, as a change of its own. A client undoes its own agent's changes here, no
 * others.
 */
export function undo(
  { transactions }: Pick<McpEngine, 'transactions'>,
  { agent }: McpIdentity,
  { id, paths }: z.infer<typeof UndoParameters>,
): Promise<CallToolResult> {
  return answered(async () => {
    const found = transactions.get(id)
    if (found.workspace !== transactions.here())
      throw new CordonError('PATH_NOT_ALLOWED', `${shortId(found.id)} changed another workspace. A person can undo it.`)
    if (agent !== undefined && found.agent !== agent)
      throw new CordonError('POLICY_DENIED', `${shortId(found.id)} is of another agent. A person can undo it.`)
    const { record, conflicts } = await transactions.undo(found.id, paths)
    if (conflicts.length > 0) return textResult(`Nothing was undone: ${conflicts.join(', ')} changed since.`, true)
    return `Undone: ${countsOf(record)}. To bring it back: undo id ${shortId(record.id)}`
  })
}

const line = (record: TransactionRecord): string => {
  const { id, at, state, command } = record
  const words = command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command
  return [shortId(id), at, state, countsOf(record), JSON.stringify(words)].join('  ')
}

const MAX_COMMAND_CHARS = 100

function countsOf({ changes: { counts } }: TransactionRecord): string {
  const { created, modified, deleted, modeChanged, directories } = counts
  const named = { created, modified, deleted, 'mode changed': modeChanged, directories }
  const parts = Object.entries(named).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
  return parts.join(', ') || 'no changes'
}

async function answered(work: () => Promise<string | CallToolResult>): Promise<CallToolResult> {
  try {
    const answer = await work()
    return typeof answer === 'string' ? textResult(answer) : answer
  } catch (thrown) {
    if (thrown instanceof CordonError) return failed(thrown)
    throw thrown
  }
}
