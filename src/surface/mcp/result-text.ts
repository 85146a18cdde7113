import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CordonError } from '../../core/model/basics/errors.js'
import { shortId } from '../../core/model/basics/id.js'
import { errorToWire } from '../../core/present/wire.js'
import type { ToolAnswer } from './mcp-engine.js'
import type { RunRecords } from './run-records.js'

/** The fields of a run's record that the text speaks of. */
interface RunJson {
  readonly id?: string
  readonly transaction?: {
    readonly outcome: string
    readonly id?: string | null
    readonly changes?: { readonly counts: Readonly<Record<string, number>> }
  }
}

/**
 * Answers in text alone: clients show a model structured content beside the text or instead of it. The whole record
 * is kept for `cordon://run/<id>`, and `_meta`, which models are not shown, names it.
 */
export function shownResult(answer: ToolAnswer, records: RunRecords): CallToolResult {
  const json = answer.json as RunJson
  if (json.id === undefined) return { ...textResult(answer.text, true), _meta: { 'cordon/error': answer.json } }
  records.add(json.id, answer.json)
  const text = [answer.text, ...changed(json)].join('\n\n')
  return { ...textResult(text, !answer.success), _meta: { 'cordon/run': `cordon://run/${json.id}` } }
}

export const failed = (error: CordonError): CallToolResult => ({
  ...textResult(error.message, true),
  _meta: { 'cordon/error': errorToWire(error) },
})

export const textResult = (text: string, isError = false): CallToolResult => ({
  isError,
  content: [{ type: 'text', text }],
})

/** One line about the files that were changed, with the id for `undo`. */
function changed({ transaction }: RunJson): readonly string[] {
  if (transaction?.outcome !== 'committed' || !transaction.id) return []
  const { created = 0, modified = 0, deleted = 0, mode_changed: mode = 0 } = transaction.changes?.counts ?? {}
  const files = created + modified + deleted + mode
  return files === 0 ? [] : [`Changed ${files} file${files === 1 ? '' : 's'}; undo id ${shortId(transaction.id)}`]
}
