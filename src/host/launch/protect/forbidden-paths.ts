import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { contained } from '../../../core/model/basics/contained.js'
import type { Mount } from '../../../core/model/policy/plan.js'
import { areHarmlessHooks, isHarmlessConfig } from '../../git/repositories.js'
import { CopiesLater } from './copies-later.js'
import { grantOwnerAccessAbove } from './grant-owner-access.js'
import { GuardedSymlinks } from './guarded-symlinks.js'
import { PlantedRepositories } from './planted-repositories.js'
import { type Quarantined, quarantine } from './quarantine.js'

const CHECK_MS = 50
/**
 * Limit of early moves, so that a command that recreates a protected path cannot fill the host's temporary directory.
 */
const EARLY_MOVES = 8

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/**
 * Tells if a new file of a repository may stay. A fresh repository needs its directory and configuration, and brings
 * sample hooks. They may stay while they can run nothing.
 */
function mayStay(path: string): boolean {
  if (path.endsWith('/.git')) return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return (
    (path.endsWith('/.git/hooks') && areHarmlessHooks(path)) ||
    (path.endsWith('/.git/config') && isHarmlessConfig(path))
  )
}

/**
 * Returns the path itself, or the first symlink on the way to it. Planned paths contain no symlink, so the command
 * planted it.
 */
function firstSymlink(path: string, root: string): string {
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const prefix = path.slice(0, end)
    if (lstatSync(root + prefix, { throwIfNoEntry: false })?.isSymbolicLink()) return prefix
  }
  return path
}

/** Protected path that did not exist when the command started. */
interface Absent {
  readonly path: string
  readonly parentIsNew: boolean
}

/**
 * Watches protected paths that do not exist. A mount over one would create it, visibly on the host. Moves a file that
 * appears there to quarantine after all processes of the command have ended, before the result is reported and another
 * program trusts the file. Quarantine keeps it in case a person made it meanwhile.
 */
export class ForbiddenPaths {
  /** Paths that exist already. They are mounted read-only like every protected path. */
  readonly existing: ReadonlySet<string>
  readonly #root: string
  readonly #absent: readonly Absent[]
  readonly #links: GuardedSymlinks
  readonly #planted: PlantedRepositories

  /**
   * `root` is the root of the command's view of the file system, empty for the host's own. `existing` lists the paths
   * that exist, if known.
   */
  constructor(mounts: readonly Mount[], root = '', existing?: ReadonlySet<string>) {
    this.#root = root
    this.#links = new GuardedSymlinks(mounts, root)
    this.#planted = new PlantedRepositories(mounts, root)
    const forbidden = mounts.flatMap(({ op, at }) => (op === 'forbid' ? at : []))
    this.existing = existing ?? new Set(forbidden.filter((path) => exists(root + path)))
    const absent = forbidden.filter((path) => !this.existing.has(path))
    const parents = new Set(absent.map((path) => dirname(path)))
    const missing = new Set([...parents].filter((path) => !exists(root + path)))
    this.#absent = absent.map((path) => ({ path, parentIsNew: missing.has(dirname(path)) }))
  }

  /**
   * Moves files at forbidden paths to quarantine. Call it after all processes of the command have ended. One failure
   * does not stop the rest.
   */
  async quarantineAll(onQuarantined: (moved: Quarantined) => void): Promise<void> {
    const copies = new CopiesLater()
    const failures: unknown[] = []
    const collectFailure = (act: () => readonly Quarantined[]): void => {
      try {
        for (const moved of act()) onQuarantined(moved)
      } catch (error) {
        failures.push(error)
      }
    }
    collectFailure(() => this.#links.restore(copies))
    for (const absent of this.#absent) collectFailure(() => this.#quarantineOne(absent, copies))
    collectFailure(() => this.#planted.quarantineNew(copies))
    await copies.finish()
    if (failures.length > 0) throw failures[0]
  }

  /**
   * Moves files away while the command runs, so that other programs find them for a moment only. Leaves them for the
   * end if a rename is impossible, in a transaction's private view, or after enough moves.
   */
  watch(onQuarantined: (moved: Quarantined) => void): { stop(): void } {
    if (this.#root !== '' || this.#absent.length + this.#links.count === 0) return { stop: () => undefined }
    let left = EARLY_MOVES
    const report = (moved: Quarantined): void => {
      left -= 1
      onQuarantined(moved)
    }
    const check = (): void => {
      for (const moved of left > 0 ? early(() => this.#links.restore(null)) : []) report(moved)
      for (const absent of this.#absent)
        for (const moved of left > 0 ? early(() => this.#quarantineOne(absent, null)) : []) report(moved)
    }
    // The check at the end repeats this and reports failures.
    const checking = contained(check, () => undefined)
    const timer = setInterval(checking, CHECK_MS).unref()
    return { stop: () => clearInterval(timer) }
  }

  #quarantineOne({ path, parentIsNew }: Absent, copies: CopiesLater | null): readonly Quarantined[] {
    // Locked directories would block this check and the planning of the next command.
    if (copies !== null) grantOwnerAccessAbove(path, this.#root)
    if (!exists(this.#root + path)) return []
    const planted = firstSymlink(path, this.#root)
    if (planted === path && (parentIsNew || path.endsWith('/.git')) && mayStay(this.#root + path)) return []
    const kept = quarantine(planted, this.#root, copies)
    return kept === null ? [] : [{ path: planted, kept }]
  }
}

function early(act: () => readonly Quarantined[]): readonly Quarantined[] {
  try {
    return act()
  } catch {
    // It changed during the check. At the end no process changes it.
    return []
  }
}
