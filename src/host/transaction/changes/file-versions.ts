import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { LIMITS } from '../../../core/model/basics/limits.js'
import { type Entry, entryAt, isErrno, sameVersion } from '../paths/entry.js'
import type { RawPath } from '../paths/raw-path.js'
import type { StoredRecord } from '../undo-store/journal.js'
import { type OpenRoots, openRoots } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'
import type { Store } from '../undo-store/store.js'

/** The text of a file at some time, or why there is none to show. */
export type Version = { readonly text: string } | { readonly note: string }

export const ABSENT: Version = { text: '' }
const GONE: Version = { note: 'this version is deleted' }
const SNIFFED_BYTES = 8_000

export interface Versions {
  /** `path` is the path of the step, or a path below it if the step removed or restored a directory. */
  before(step: Step, path: RawPath): Version
  after(step: Step, path: RawPath): Version
}

/**
 * Finds the content of files before and after a transaction: in the tree, in its undo store, or in that of a later one.
 */
export function versionsOf(store: Store, record: StoredRecord, openedRoots: OpenRoots): Versions {
  return {
    before(step, path) {
      const kept = step.keep === null ? null : `${step.keep}${path.slice(step.path.length)}`
      if (kept !== null && openedRoots.storedEntry(step.root, kept)) return read(openedRoots.stored(step.root, kept))
      const current = openedRoots.tree(step.root).entry(path)
      const still = current && (path !== step.path || (step.before && sameVersion(step.before, current)))
      return still ? read(openedRoots.tree(step.root).at(path)) : GONE
    },
    after(step, path) {
      if (path !== step.path) return readBelow(step, path, openedRoots)
      if (step.from !== null && openedRoots.storedEntry(step.root, step.from))
        return read(openedRoots.stored(step.root, step.from))
      const current = openedRoots.tree(step.root).entry(step.path)
      if (!step.after) return GONE
      if (current && sameVersion(step.after, current)) return read(openedRoots.tree(step.root).at(step.path))
      return keptLater(store, record, step, step.after)
    },
  }
}

/** Reads a file in a directory that was moved as a whole. */
function readBelow({ root, path: top, from }: Step, path: RawPath, openedRoots: OpenRoots): Version {
  const kept = from === null ? null : `${from}${path.slice(top.length)}`
  if (kept !== null && openedRoots.storedEntry(root, kept)) return read(openedRoots.stored(root, kept))
  return openedRoots.tree(root).entry(path) ? read(openedRoots.tree(root).at(path)) : GONE
}

/** A later transaction replaced it, and keeps it as the version before its own. */
function keptLater({ journal }: Store, record: StoredRecord, { root, path }: Step, wanted: Entry): Version {
  const top = record.rootPaths[root]?.root
  for (const later of journal.records()) {
    if (later.id === record.id || later.at < record.at || !later.rootPaths.some((paths) => paths.root === top)) continue
    for (const step of journal.steps(later.id)) {
      if (step.path !== path || step.keep === null || later.rootPaths[step.root]?.root !== top) continue
      const found = step.before && sameVersion(step.before, wanted) ? keptBy(later, step.root, step.keep) : null
      if (found !== null) return found
    }
  }
  return GONE
}

function keptBy(later: StoredRecord, root: number, keep: RawPath): Version | null {
  const openedRoots = openRoots(later.rootPaths)
  try {
    return openedRoots.storedEntry(root, keep) ? read(openedRoots.stored(root, keep)) : null
  } finally {
    openedRoots.close()
  }
}

function read(place: Buffer): Version {
  if (entryAt(place)?.type === 'symlink') return { text: `${readlinkSync(place)}\n` }
  try {
    // Never follows a link, and never waits for the other end of a pipe.
    const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return readText(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (isErrno(error, 'EACCES', 'ENXIO', 'ELOOP')) return { note: 'cannot be read' }
    throw error
  }
}

function readText(descriptor: number): Version {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) return { note: 'not a regular file' }
  if (stats.size > LIMITS.diffBytes) return { note: 'too large to show' }
  const content = Buffer.alloc(stats.size)
  const length = readSync(descriptor, content)
  const text = content.subarray(0, length)
  return text.subarray(0, SNIFFED_BYTES).includes(0) ? { note: 'binary' } : { text: text.toString('utf8') }
}
