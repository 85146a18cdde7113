import type { Change, ChangeSet } from '../../../core/model/run/change.js'
import { type Entry, sameOwner } from '../paths/entry.js'
import { below, nameOf, parentOf, type RawPath, raw, shown } from '../paths/raw-path.js'
import { walk } from '../paths/tree.js'
import { type OpenRoots, openRoots, type RootPaths } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

/** Most changes that a report lists by name; counts cover all. */
const LISTED = 100

const sizeOf = (entry: Entry | null): number | null =>
  entry === null || entry.type === 'directory' ? null : entry.size

/** Returns the changes of a list of steps, one per entry, with the content of removed directories. */
export function* changesIn(
  steps: readonly Step[],
  rootPaths: readonly RootPaths[],
  openedRoots: OpenRoots,
): Generator<Change> {
  const stated = new Set(steps.map(({ root, path }) => `${root} ${path}`))
  for (const step of steps) {
    const { act, before, after, path, root, attributes } = step
    if (step.aside) continue
    const top = raw(rootPaths[root]?.root ?? '')
    const place = (inner: RawPath): string => shown(inner === '' ? top : below(top, inner))
    if (act === 'meta') {
      if (before && after && before.mode !== after.mode) yield change(place(path), 'mode-changed', before, after)
      else if (before && after && (attributes || !sameOwner(before, after)))
        yield change(place(path), 'modified', before, after)
    } else if (act === 'rmdir') {
      yield change(place(path), 'deleted', before, null)
    } else if (act === 'drop' || before?.type === 'directory' || (act === 'mkdir' && before)) {
      for (const [inner, entry] of beforeOf(step, rootPaths, openedRoots)) {
        // Entries with their own step are listed there.
        if (inner === path || !stated.has(`${root} ${inner}`)) yield change(place(inner), 'deleted', entry, null)
      }
      if (after) yield change(place(path), 'created', null, after)
    } else {
      yield change(place(path), before ? 'modified' : 'created', before, after)
      for (const [inner, entry] of madeBelow(step, openedRoots)) {
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

/** Returns the entries that a step removes, from the tree or from the undo store. */
function* beforeOf(
  step: Step,
  rootPaths: readonly RootPaths[],
  openedRoots: OpenRoots,
): Generator<readonly [RawPath, Entry]> {
  const { root, path, before, keep } = step
  if (before && before.type !== 'directory') return yield [path, before]
  if (openedRoots.tree(root).entry(path)?.ino === before?.ino) return yield* walk(openedRoots.tree(root), path)
  const storePath = rootPaths[root]?.storePath
  if (storePath === undefined || keep === null) return
  const kept = openRoots([{ root: `${storePath}/${parentOf(keep)}`, storePath: '', scratch: '' }])
  try {
    const top = nameOf(keep)
    for (const [inner, entry] of walk(kept.tree(0), top)) yield [`${path}${inner.slice(top.length)}`, entry]
  } finally {
    kept.close()
  }
}

/** Returns the entries of a directory that an undo restores, from the undo store or from the tree. */
function* madeBelow(
  { root, path, act, after, from }: Step,
  openedRoots: OpenRoots,
): Generator<readonly [RawPath, Entry]> {
  if (act !== 'put' || from === null || after?.type !== 'directory') return
  const storePath = openedRoots.storedEntry(root, from) ? openedRoots.storeTree(root) : null
  const [tree, top] = storePath ? [storePath, from] : [openedRoots.tree(root), path]
  for (const [inner, entry] of walk(tree, top)) if (inner !== top) yield [`${path}${inner.slice(top.length)}`, entry]
}

export function changeSetOf(steps: readonly Step[], rootPaths: readonly RootPaths[]): ChangeSet {
  const counts = { created: 0, modified: 0, deleted: 0, modeChanged: 0, directories: 0, bytes: 0 }
  let total = 0
  const list: Change[] = []
  const openedRoots = openRoots(rootPaths)
  try {
    for (const found of changesIn(steps, rootPaths, openedRoots)) {
      total += 1
      if (found.type === 'directory') counts.directories += 1
      else counts[found.kind === 'mode-changed' ? 'modeChanged' : found.kind] += 1
      if (found.kind === 'created' || found.kind === 'modified') counts.bytes += found.bytesAfter ?? 0
      if (list.length < LISTED) list.push(found)
    }
  } finally {
    openedRoots.close()
  }
  return { counts, list, omitted: total - list.length }
}
