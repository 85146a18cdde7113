import { shortId } from '../../../core/model/basics/id.js'
import type { Result, TransactionReport } from '../../../core/model/run/result.js'
import type { Paint } from '../terminal/style.js'
import { visible, visibleLines } from '../terminal/visible-text.js'
import { countsText, numbered } from './changes.js'

/** Returns Cordon's notes on a finished command. Empty if there is nothing to report. */
export function resultNotes(result: Result, paint: Paint, atTerminal = false): string {
  const { ending, error, transaction, streams, evidence } = result
  const notes: string[] = []
  const byUs = ending.how === 'killed' && ending.by !== 'itself'
  // The terminal has shown `^C` and is still on that line.
  const isInterrupted = ending.how === 'killed' && ending.by === 'itself' && ending.signal === 'SIGINT'
  if (atTerminal && (result.cancelled || isInterrupted)) notes.push('')
  // The person who pressed Ctrl-C knows; a shell reports nothing either.
  if (byUs && error && !result.cancelled) notes.push(paint.red(error.message))
  // Through a pipe stderr is the command's own. A shell says nothing of SIGPIPE either: `| head` has seen enough.
  if (atTerminal && ending.how === 'killed' && ending.by === 'itself' && ending.signal !== 'SIGPIPE' && !isInterrupted)
    notes.push(paint.red(`Killed by ${ending.signal}.`))
  for (const line of evidence) notes.push(paint.yellow(`Sandbox: ${visible(line)}`))
  if (transaction) notes.push(...changeNotes(transaction, result.exitCode !== 0, atTerminal).map(paint.dim))
  if (transaction?.outcome === 'waiting-for-review') {
    const id = transaction.id
    notes.push(paint.yellow(`Held for review: cordon diff ${shortId(id ?? '')}, then cordon keep or cordon discard.`))
  }
  if (transaction?.warning) notes.push(paint.yellow(transaction.warning))
  if (streams.kept) notes.push(paint.dim(`Output kept: cordon logs ${shortId(result.id)}`))
  return notes.map((note) => `${visibleNote(note)}\n`).join('')
}

/**
 * Names the changes of a failed command, and at a terminal those that deleted or overwrote files, with the undo
 * command.
 */
function changeNotes(
  { outcome, id, changes, restored, deleted }: TransactionReport,
  failed: boolean,
  atTerminal: boolean,
): string[] {
  if (outcome === 'rolled-back' && restored + deleted > 0) {
    const keep = id ? `; cordon keep ${shortId(id)} applies the changes` : ''
    const parts = [
      ...(restored > 0 ? [`${numbered(restored, 'file', 'files')} restored`] : []),
      ...(deleted > 0 ? [`${numbered(deleted, 'file', 'files')} deleted`] : []),
    ]
    return [`Rolled back: ${parts.join(', ')}${keep}`]
  }
  if (outcome !== 'committed' || !id || !changes) return []
  const overwrote = changes.counts.deleted + changes.counts.modified > 0
  return failed || (atTerminal && overwrote) ? [`${countsText(changes.counts)}; cordon undo ${shortId(id)}`] : []
}

/** Keeps Cordon's own colours and makes other control characters visible. */
const visibleNote = (note: string): string =>
  note
    .split(/(\u001b\[\d+m)/)
    .map((part, i) => (i % 2 === 1 ? part : visibleLines(part)))
    .join('')
