import type { ChangeSet } from '../model/run/change.js'
import type { Result, TransactionReport } from '../model/run/result.js'
import { took } from './took.js'

/** Limits the changed paths that a text names. */
const NAMED = 5

/** Omits the duration of shorter commands. */
const TIMED_FROM_MS = 1_000

/**
 * Formats a result for a model: the output, the ending unless it is a success, and the duration from one second up.
 */
export function toText(result: Result): string {
  const time = result.durationMs < TIMED_FROM_MS ? [] : [took(result.durationMs)]
  return [body(result), ...ending(result), ...time].join('\n\n')
}

function body({ stdout, stderr }: Result): string {
  const parts = [stdout, stderr].filter((text) => text !== '').map(withoutLastNewline)
  return parts.length === 0 ? '(no output)' : parts.join('\n')
}

function ending({
  exitCode,
  error,
  timedOut,
  cancelled,
  transaction,
  approval,
  evidence,
  notices,
  ending: how,
}: Result): string[] {
  const lines: string[] = []
  if (error !== null && (timedOut || cancelled || how.how === 'killed')) lines.push(error.message)
  else if (exitCode !== 0) lines.push(`Command exited with code ${exitCode}`)
  if (transaction) lines.push(...settled(transaction))
  if (approval?.note != null) lines.push(`The person who approved this says: ${approval.note}`)
  lines.push(...notices)
  if (evidence.length > 0) lines.push(`Sandbox: ${evidence.join('; ')}`)
  if (transaction?.warning != null) lines.push(`Warning: ${transaction.warning}`)
  return lines
}

/** Returns the state of the changes where they are not in the workspace. A model would rely on them otherwise. */
function settled({ outcome, restored, deleted, changes }: TransactionReport): string[] {
  const names = changes ? namesIn(changes) : ''
  if (outcome === 'rolled-back') return [`Changes were rolled back: ${restored} restored, ${deleted} deleted${names}`]
  if (outcome !== 'waiting-for-review') return []
  return [`Changes are held until a person reviews them; the files are unchanged${names}`]
}

function namesIn({ list, omitted }: ChangeSet): string {
  const named = list.slice(0, NAMED).map(({ path }) => path)
  const more = list.length - named.length + omitted
  if (named.length === 0) return ''
  return ` (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`
}

const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
