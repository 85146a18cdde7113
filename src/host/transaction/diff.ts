import { createTwoFilesPatch } from 'diff'
import type { Change, FileDiff } from '../../core/model/change.js'
import { changesIn } from './change-list.js'
import { openGround } from './ground.js'
import { type RawPath, raw } from './raw-path.js'
import { select, wantedBy } from './select.js'
import type { Step } from './step.js'
import type { Store } from './store.js'
import { ABSENT, type Version, type Versions, versionsOf } from './versions.js'

/** Two large files that have nothing in common would be compared for minutes. */
const PATIENCE_MS = 2_000

/** What a transaction changed, file by file: unified for text, sizes for the rest. */
export function diffOf(store: Store, id: string, paths: readonly string[] | undefined): readonly FileDiff[] {
  const record = store.journal.record(id)
  const { footings, workspace } = record
  const steps = select(store.journal.steps(id), wantedBy(paths, workspace, footings))
  const ground = openGround(footings)
  try {
    const versions = versionsOf(store, record, ground)
    return steps.flatMap((step) =>
      [...changesIn([step], footings, ground)].map((change) =>
        diffOfChange(change, step, innerPath(change, step, footings[step.root]?.root ?? ''), versions),
      ),
    )
  } finally {
    ground.close()
  }
}

/** A removed directory is one step and many changes. */
const innerPath = ({ kind, path }: Change, step: Step, root: string): RawPath =>
  kind === 'deleted' && step.before?.type === 'directory' ? raw(path.slice(root.length + 1)) : step.path

function diffOfChange(change: Change, step: Step, inner: RawPath, versions: Versions): FileDiff {
  const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(4, '0')
  if (change.kind === 'mode-changed') {
    return { change, text: null, note: `mode ${octal(step.before?.mode)} → ${octal(step.after?.mode)}` }
  }
  if (change.type === 'directory') return { change, text: null, note: null }
  const before = change.bytesBefore === null ? ABSENT : versions.before(step, inner)
  const after = change.bytesAfter === null ? ABSENT : versions.after(step)
  return patched(change, before, after)
}

function patched(change: Change, before: Version, after: Version): FileDiff {
  const sizes = `${change.bytesBefore ?? 0} → ${change.bytesAfter ?? 0} bytes`
  if ('note' in before) return { change, text: null, note: `${before.note}, ${sizes}` }
  if ('note' in after) return { change, text: null, note: `${after.note}, ${sizes}` }
  const from = change.bytesBefore === null ? '/dev/null' : `a${change.path}`
  const to = change.bytesAfter === null ? '/dev/null' : `b${change.path}`
  const text = createTwoFilesPatch(from, to, before.text, after.text, undefined, undefined, { timeout: PATIENCE_MS })
  return text === undefined
    ? { change, text: null, note: `too different to show, ${sizes}` }
    : { change, text, note: null }
}
