import type { ChangeSet } from '../../core/model/change.js'
import type { Result } from '../../core/model/result.js'
import type { Paint } from './paint.js'
import { visible, visibleLines } from './visible.js'

/** What Cordon itself has to say about a finished command: nothing, when nothing is wrong. */
export function resultNotes(result: Result, paint: Paint): string {
  const { ending, error, transaction, streams, evidence } = result
  const notes: string[] = []
  const byUs = ending.how === 'killed' && ending.by !== 'itself'
  if (byUs && error) notes.push(paint.red(error.message))
  if (ending.how === 'killed' && ending.by === 'itself') notes.push(paint.red(`Killed by ${ending.signal}.`))
  for (const line of evidence) notes.push(paint.yellow(`Sandbox: ${visible(line)}`))
  if (transaction?.outcome === 'rolled-back') {
    notes.push(
      paint.yellow(
        `Rolled back: ${counted(transaction.restored, 'restored')}, ${counted(transaction.deleted, 'deleted')}.`,
      ),
    )
  }
  if (transaction?.outcome === 'committed' && result.exitCode !== 0) {
    const { id, changes } = transaction
    if (id && changes) notes.push(paint.dim(`${changedFiles(changes.counts)}; cordon undo ${id} takes that back.`))
  }
  if (transaction?.outcome === 'waiting-for-review') {
    const { id } = transaction
    notes.push(paint.yellow(`Held for review: cordon diff ${id}, then cordon keep ${id} or cordon discard ${id}.`))
  }
  if (transaction?.warning) notes.push(paint.yellow(transaction.warning))
  if (streams.kept) notes.push(paint.dim(`Output kept: cordon logs ${result.id}`))
  return notes.map((note) => `${visibleNote(note)}\n`).join('')
}

const counted = (count: number, done: string): string => `${count} ${count === 1 ? 'file' : 'files'} ${done}`

/** `2 files created, 1 file deleted` */
function changedFiles({ created, modified, deleted, modeChanged }: ChangeSet['counts']): string {
  const parts = [
    [created, 'created'],
    [modified, 'changed'],
    [deleted, 'deleted'],
    [modeChanged, 'given another mode'],
  ] as const
  return parts.flatMap(([count, done]) => (count > 0 ? [counted(count, done)] : [])).join(', ')
}

/** Our own colours stay; whatever else a message carries is shown, not obeyed. */
const visibleNote = (note: string): string =>
  note
    .split(/(\u001b\[\d+m)/)
    .map((part, i) => (i % 2 === 1 ? part : visibleLines(part)))
    .join('')
