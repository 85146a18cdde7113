import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { LIMITS } from '../../core/model/limits.js'
import { type Entry, entryAt, isErrno, sameVersion } from './entry.js'
import { type Ground, openGround } from './ground.js'
import type { StoredRecord } from './journal.js'
import type { RawPath } from './raw-path.js'
import type { Step } from './step.js'
import type { Store } from './store.js'

/** The text of a file at some time, or why there is none to show. */
export type Version = { readonly text: string } | { readonly note: string }

export const ABSENT: Version = { text: '' }
const GONE: Version = { note: 'this version is no longer kept' }
const SNIFFED_BYTES = 8_000

export interface Versions {
  /** `path` is the step's own, or lies below it when the step removed or put back a directory. */
  before(step: Step, path: RawPath): Version
  after(step: Step, path: RawPath): Version
}

/** Finds what files held before and after a transaction, wherever it is now: in the tree, in its vault, or in that of a later one. */
export function versionsOf(store: Store, record: StoredRecord, ground: Ground): Versions {
  return {
    before(step, path) {
      const kept = step.keep === null ? null : `${step.keep}${path.slice(step.path.length)}`
      if (kept !== null && ground.vaultEntry(step.root, kept)) return read(ground.vault(step.root, kept))
      const current = ground.tree(step.root).entry(path)
      const still = current && (path !== step.path || (step.before && sameVersion(step.before, current)))
      return still ? read(ground.tree(step.root).at(path)) : GONE
    },
    after(step, path) {
      if (path !== step.path) return readBelow(step, path, ground)
      if (step.from !== null && ground.vaultEntry(step.root, step.from)) return read(ground.vault(step.root, step.from))
      const current = ground.tree(step.root).entry(step.path)
      if (!step.after) return GONE
      if (current && sameVersion(step.after, current)) return read(ground.tree(step.root).at(step.path))
      return keptLater(store, record, step, step.after)
    },
  }
}

/** A file in a directory that was put in its place as a whole. */
function readBelow({ root, path: top, from }: Step, path: RawPath, ground: Ground): Version {
  const kept = from === null ? null : `${from}${path.slice(top.length)}`
  if (kept !== null && ground.vaultEntry(root, kept)) return read(ground.vault(root, kept))
  return ground.tree(root).entry(path) ? read(ground.tree(root).at(path)) : GONE
}

/** A later transaction replaced it, and keeps it as the version before its own. */
function keptLater({ journal }: Store, record: StoredRecord, { root, path }: Step, wanted: Entry): Version {
  const top = record.footings[root]?.root
  for (const later of journal.records()) {
    if (later.id === record.id || later.at < record.at || !later.footings.some((footing) => footing.root === top))
      continue
    for (const step of journal.steps(later.id)) {
      if (step.path !== path || step.keep === null || later.footings[step.root]?.root !== top) continue
      const found = step.before && sameVersion(step.before, wanted) ? keptBy(later, step.root, step.keep) : null
      if (found !== null) return found
    }
  }
  return GONE
}

function keptBy(later: StoredRecord, root: number, keep: RawPath): Version | null {
  const ground = openGround(later.footings)
  try {
    return ground.vaultEntry(root, keep) ? read(ground.vault(root, keep)) : null
  } finally {
    ground.close()
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
