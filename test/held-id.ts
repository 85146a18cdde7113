import { CordonError } from '../src/core/model/basics/errors.js'

/** The id of the approval that a held command waits for. */
export function heldId(error: unknown): string {
  if (!(error instanceof CordonError) || !error.is('CONFIRMATION_REQUIRED')) throw error
  return error.details.approval?.id ?? ''
}
