import { lstatSync, readlinkSync } from 'node:fs'
import type { Mount } from '../../../core/model/policy/plan.js'
import type { CopiesLater } from './copies-later.js'
import { grantOwnerAccessAbove } from './grant-owner-access.js'
import { makeSymlink, type Quarantined, quarantine } from './quarantine.js'

type GuardedSymlink = Extract<Mount, { op: 'keep' }>

/** Returns the target of a symlink, undefined if nothing exists, or null for another kind of file. */
function targetOf(path: string): string | null | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isSymbolicLink() ? readlinkSync(path) : null
}

/**
 * Symlinks on the way to protected paths. A mount covers a symlink's target, not the symlink, so a writer of its
 * directory could replace it. They are checked like forbidden paths, and restored.
 */
export class GuardedSymlinks {
  readonly #root: string
  readonly #symlinks: readonly GuardedSymlink[]

  constructor(mounts: readonly Mount[], root: string) {
    this.#root = root
    this.#symlinks = mounts.filter((mount): mount is GuardedSymlink => mount.op === 'keep')
  }

  get count(): number {
    return this.#symlinks.length
  }

  /** `copies`: see `quarantine`. */
  restore(copies: CopiesLater | null): readonly Quarantined[] {
    return this.#symlinks.flatMap((symlink) => this.#restoreOne(symlink, copies))
  }

  #restoreOne({ at, to }: GuardedSymlink, copies: CopiesLater | null): readonly Quarantined[] {
    if (copies !== null) grantOwnerAccessAbove(at, this.#root)
    const target = targetOf(this.#root + at)
    if (target === to) return []
    const kept = target === undefined ? null : quarantine(at, this.#root, copies)
    if (target !== undefined && kept === null) return []
    makeSymlink(at, this.#root, to)
    return [{ path: at, kept }]
  }
}
