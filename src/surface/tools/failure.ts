import { CordonError } from '../../core/model/basics/errors.js'
import { errorToWire } from '../../core/present/wire.js'
import type { ToolResult } from './tool.js'

/** Any failure as a result a model can read. A defect shows its sentence, never its stack. */
export function failure(thrown: unknown): ToolResult {
  const error = thrown instanceof CordonError ? thrown : new CordonError('INTERNAL', sentence(thrown))
  const approval = error.is('CONFIRMATION_REQUIRED') ? error.details.approval : undefined
  const failed = { success: false, text: error.message, json: errorToWire(error), error: error.info }
  return approval === undefined ? failed : { ...failed, approval }
}

const sentence = (thrown: unknown): string =>
  `The tool failed unexpectedly: ${thrown instanceof Error ? thrown.message : String(thrown)}`
