import { shortId } from '../../core/model/id.js'
import type { Result, TransactionReport } from '../../core/model/result.js'
import { countsText, numbered } from './changes-text.js'
import type { Paint } from './paint.js'
import { visible, visibleLines } from './visible.js'

/** What Cordon itself has to say about a finished command: nothing, when nothing is wrong. */
export function resultNotes(result: Result, paint: Paint, atTerminal = false): string {
  const { ending, error, transaction, streams, evidence } = result
  const notes: string[] = []
  const byUs = ending.how === 'killed' && ending.by !== 'itself'
  // The terminal has shown `^C` and is still on that line.
  if (atTerminal && result.cancelled) notes.push('')
  // Who pressed Ctrl-C knows; a shell says nothing of it either.
  if (byUs && error && !result.cancelled) notes.push(paint.red(error.message))
  // Through a pipe stderr is the command's own. A shell says nothing of SIGPIPE either: `| head` has seen enough.
  if (atTerminal && ending.how === 'killed' && ending.by === 'itself' && ending.signal !== 'SIGPIPE')
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

/** What a failed command changed, and at a terminal what any command deleted or overwrote, with the command that takes it back. */
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

/** Our own colours stay; whatever else a message carries is shown, not obeyed. */
const visibleNote = (note: string): string =>
  note
    .split(/(\u001b\[\d+m)/)
    .map((part, i) => (i % 2 === 1 ? part : visibleLines(part)))
    .join('')
