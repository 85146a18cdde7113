import type { Change, ChangeSet } from '../../core/model/change.js'
import { type Entry, sameOwner } from './entry.js'
import { type Footing, type Ground, openGround } from './ground.js'
import { below, nameOf, parentOf, type RawPath, raw, shown } from './raw-path.js'
import type { Step } from './step.js'
import { walk } from './tree.js'

/** What a report lists by name; counts cover all. */
const LISTED = 100

const sizeOf = (entry: Entry | null): number | null =>
  entry === null || entry.type === 'directory' ? null : entry.size

/** The changes behind a list of steps, one per entry, a removed directory with everything in it. */
export function* changesIn(steps: readonly Step[], footings: readonly Footing[], ground: Ground): Generator<Change> {
  const stated = new Set(steps.map(({ root, path }) => `${root} ${path}`))
  for (const step of steps) {
    const { act, before, after, path, root, attributes } = step
    if (step.aside) continue
    const top = raw(footings[root]?.root ?? '')
    const place = (inner: RawPath): string => shown(inner === '' ? top : below(top, inner))
    if (act === 'meta') {
      if (before && after && before.mode !== after.mode) yield change(place(path), 'mode-changed', before, after)
      else if (before && after && (attributes || !sameOwner(before, after)))
        yield change(place(path), 'modified', before, after)
    } else if (act === 'rmdir') {
      yield change(place(path), 'deleted', before, null)
    } else if (act === 'drop' || before?.type === 'directory' || (act === 'mkdir' && before)) {
      for (const [inner, entry] of beforeOf(step, footings, ground)) {
        // What has a step of its own speaks for itself.
        if (inner === path || !stated.has(`${root} ${inner}`)) yield change(place(inner), 'deleted', entry, null)
      }
      if (after) yield change(place(path), 'created', null, after)
    } else {
      yield change(place(path), before ? 'modified' : 'created', before, after)
      for (const [inner, entry] of madeBelow(step, ground)) {
        if (!stated.has(`${root} ${inner}`)) yield change(place(inner), 'created', null, entry)
      }
    }
  }
}

const change = (path: string, kind: Change['kind'], before: Entry | null, after: Entry | null): Change => ({
  path,
  kind,
  type: (after ?? before)?.type ?? 'file',
  bytesBefore: sizeOf(before),
  bytesAfter: sizeOf(after),
})

/** What a step removes: still in its place, or already in the vault. */
function* beforeOf(step: Step, footings: readonly Footing[], ground: Ground): Generator<readonly [RawPath, Entry]> {
  const { root, path, before, keep } = step
  if (before && before.type !== 'directory') return yield [path, before]
  if (ground.tree(root).entry(path)?.ino === before?.ino) return yield* walk(ground.tree(root), path)
  const vault = footings[root]?.vault
  if (vault === undefined || keep === null) return
  const kept = openGround([{ root: `${vault}/${parentOf(keep)}`, vault: '', scratch: '' }])
  try {
    const top = nameOf(keep)
    for (const [inner, entry] of walk(kept.tree(0), top)) yield [`${path}${inner.slice(top.length)}`, entry]
  } finally {
    kept.close()
  }
}

/** What comes with a directory that an undo puts back: still in the vault, or already in its place. */
function* madeBelow({ root, path, act, after, from }: Step, ground: Ground): Generator<readonly [RawPath, Entry]> {
  if (act !== 'put' || from === null || after?.type !== 'directory') return
  const vault = ground.vaultEntry(root, from) ? ground.vaultTree(root) : null
  const [tree, top] = vault ? [vault, from] : [ground.tree(root), path]
  for (const [inner, entry] of walk(tree, top)) if (inner !== top) yield [`${path}${inner.slice(top.length)}`, entry]
}

export function changeSetOf(steps: readonly Step[], footings: readonly Footing[]): ChangeSet {
  const counts = { created: 0, modified: 0, deleted: 0, modeChanged: 0, directories: 0, bytes: 0 }
  let total = 0
  const list: Change[] = []
  const ground = openGround(footings)
  try {
    for (const found of changesIn(steps, footings, ground)) {
      total += 1
      if (found.type === 'directory') counts.directories += 1
      else counts[found.kind === 'mode-changed' ? 'modeChanged' : found.kind] += 1
      if (found.kind === 'created' || found.kind === 'modified') counts.bytes += found.bytesAfter ?? 0
      if (list.length < LISTED) list.push(found)
    }
  } finally {
    ground.close()
  }
  return { counts, list, omitted: total - list.length }
}
