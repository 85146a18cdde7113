import { createTwoFilesPatch } from 'diff'
import type { Change, FileDiff } from '../../../core/model/run/change.js'
import { sameOwner } from '../paths/entry.js'
import { type RawPath, raw, shown } from '../paths/raw-path.js'
import { openRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import type { Store } from '../undo-store/store.js'
import { changesIn } from './change-list.js'
import { ABSENT, type Version, type Versions, versionsOf } from './file-versions.js'
import { select, wantedBy } from './select-steps.js'

const SAME_TEXT = 'same content; time, owner or extended attributes changed'

/** Time limit of a diff, because two large unrelated files would take minutes. */
const PATIENCE_MS = 2_000

/** Returns the changes of a transaction, file by file: a unified diff for text, sizes for other files. */
export function diffOf(store: Store, id: string, paths: readonly string[] | undefined): readonly FileDiff[] {
  const record = store.journal.record(id)
  const { rootPaths, workspace } = record
  const steps = select(store.journal.steps(id), wantedBy(paths, workspace, rootPaths))
  const openedRoots = openRoots(rootPaths)
  try {
    const versions = versionsOf(store, record, openedRoots)
    return steps.flatMap((step) =>
      [...changesIn([step], rootPaths, openedRoots)].map((change) =>
        diffOfChange(change, step, innerPath(change, step, rootPaths[step.root]?.root ?? ''), versions),
      ),
    )
  } finally {
    openedRoots.close()
  }
}

/** A removed directory is one step and many changes. */
const innerPath = ({ kind, path }: Change, step: Step, root: string): RawPath =>
  (kind === 'deleted' && step.before?.type === 'directory') || (kind === 'created' && step.after?.type === 'directory')
    ? raw(path.slice(root.length + 1))
    : step.path

function diffOfChange(change: Change, step: Step, inner: RawPath, versions: Versions): FileDiff {
  if (change.kind === 'mode-changed') return { change, text: null, note: aboutMode(step) }
  if (change.type === 'directory') return { change, text: null, note: change.kind === 'modified' ? about(step) : null }
  const before = change.bytesBefore === null ? ABSENT : versions.before(step, inner)
  const after = change.bytesAfter === null ? ABSENT : versions.after(step, inner)
  const diff = patched(change, before, after)
  const mode = change.kind === 'modified' ? aboutMode(step) : null
  return mode === null ? diff : { ...diff, note: diff.note === null ? mode : `${diff.note}; ${mode}` }
}

function aboutMode({ before, after }: Step): string | null {
  const octal = (mode: number): string => mode.toString(8).padStart(4, '0')
  return before && after && before.mode !== after.mode ? `mode ${octal(before.mode)} → ${octal(after.mode)}` : null
}

/** A directory that is another in itself: who owns it, and which extended attributes it has. */
function about({ before, after, attributes }: Step): string {
  const owner =
    before && after && !sameOwner(before, after)
      ? [`owner ${before.uid}:${before.gid} → ${after.uid}:${after.gid}`]
      : []
  if (!attributes) return owner.join('')
  const names = [...new Set([...Object.keys(attributes.before), ...Object.keys(attributes.after)])].sort()
  const changed = names.filter((name) => attributes.before[name] !== attributes.after[name])
  return [...owner, `extended attributes ${changed.map(shown).join(', ')}`].join('; ')
}

function patched(change: Change, before: Version, after: Version): FileDiff {
  const sizes = `${change.bytesBefore ?? 0} → ${change.bytesAfter ?? 0} bytes`
  if ('note' in before) return { change, text: null, note: `${before.note}, ${sizes}` }
  if ('note' in after) return { change, text: null, note: `${after.note}, ${sizes}` }
  if (change.kind === 'modified' && before.text === after.text) return { change, text: null, note: SAME_TEXT }
  const from = change.bytesBefore === null ? '/dev/null' : `a${change.path}`
  const to = change.bytesAfter === null ? '/dev/null' : `b${change.path}`
  const text = createTwoFilesPatch(from, to, before.text, after.text, undefined, undefined, { timeout: PATIENCE_MS })
  return text === undefined
    ? { change, text: null, note: `too different to show, ${sizes}` }
    : { change, text, note: null }
}
