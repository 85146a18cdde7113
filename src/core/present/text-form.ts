import type { ChangeSet } from '../model/change.js'
import type { Result, TransactionReport } from '../model/result.js'
import { took } from './took.js'

/** Paths a model is told of by name. */
const NAMED = 5

/** A result as a model reads it: the output, how it ended if not well, and how long it took. */
export function toText(result: Result): string {
  return [body(result), ...ending(result), took(result.durationMs)].join('\n\n')
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
  ending: how,
}: Result): string[] {
  const said: string[] = []
  if (error !== null && (timedOut || cancelled || how.how === 'killed')) said.push(error.message)
  else if (exitCode !== 0) said.push(`Command exited with code ${exitCode}`)
  if (transaction) said.push(...settled(transaction))
  if (approval?.note != null) said.push(`The person who approved this says: ${approval.note}`)
  if (evidence.length > 0) said.push(`Sandbox: ${evidence.join('; ')}`)
  if (transaction?.warning != null) said.push(`Warning: ${transaction.warning}`)
  return said
}

/** A model that does not know that its changes are gone, or not there yet, goes on as if they were. */
function settled({ outcome, restored, deleted, changes }: TransactionReport): string[] {
  const names = changes ? namesIn(changes) : ''
  if (outcome === 'rolled-back') return [`Changes were taken back: ${restored} restored, ${deleted} deleted${names}`]
  if (outcome !== 'waiting-for-review') return []
  return [`Changes are held until a person has reviewed them; the files are as they were${names}`]
}

function namesIn({ list, omitted }: ChangeSet): string {
  const named = list.slice(0, NAMED).map(({ path }) => path)
  const more = list.length - named.length + omitted
  if (named.length === 0) return ''
  return ` (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`
}

const withoutLastNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
