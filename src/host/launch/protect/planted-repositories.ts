import { dirname } from 'node:path'
import type { Mount } from '../../../core/model/policy/plan.js'
import {
  gitDirectoryAt,
  isHarmless,
  type Nested,
  type NestedRepositories,
  nestedRepositories,
} from '../../git/repositories.js'
import type { CopiesLater } from './copies-later.js'
import { type Quarantined, quarantine } from './quarantine.js'

const DOT_GIT = '/.git'
const IN_DOT_GIT = /\/\.git\/(?:config|hooks)$/
const IN_GIT_DIRECTORY = /\/(?:config|hooks)$/

/**
 * Checks repositories that a command adds to another's tree and index. Git enters them by itself and would run their
 * configuration. Earlier ones have mounts of their own. A new one may stay only if it can run nothing.
 */
export class PlantedRepositories {
  readonly #root: string
  readonly #guarded: ReadonlySet<string>
  /** Protected git configurations, of any tree. */
  readonly #known: ReadonlySet<string>
  readonly #trees: readonly string[]

  constructor(mounts: readonly Mount[], root: string) {
    this.#root = root
    const places = mounts.flatMap(({ op, at }) => (op === 'read' || op === 'forbid' ? at : []))
    const guarded = places.flatMap((at) => (IN_DOT_GIT.test(at) ? dirname(at) : at.endsWith(DOT_GIT) ? at : []))
    this.#guarded = new Set(guarded)
    this.#known = new Set(places.flatMap((at) => (IN_GIT_DIRECTORY.test(at) ? dirname(at) : [])))
    this.#trees = [...this.#guarded].map((dotGit) => dirname(dotGit))
  }

  /** Moves dangerous repositories away. Call it after all processes of the command have ended. */
  quarantineNew(copies: CopiesLater): readonly Quarantined[] {
    return [...new Set(this.#trees)].flatMap((tree) => {
      const { found, isComplete } = this.#nestedIn(tree, this.#root)
      return isComplete ? this.#quarantinePlanted(tree, found, copies) : this.#quarantineIndex(tree, copies)
    })
  }

  #nestedIn(tree: string, root: string): NestedRepositories {
    const own = gitDirectoryAt(tree + DOT_GIT, root)
    return own === null ? { found: [], isComplete: true } : nestedRepositories(tree, own, root)
  }

  #quarantinePlanted(tree: string, found: readonly Nested[], copies: CopiesLater): readonly Quarantined[] {
    const moved: Quarantined[] = []
    for (const nested of found) {
      const { dotGit } = nested
      if (this.#guarded.has(dotGit) || this.#known.has(nested.gitDirectory ?? '')) continue
      if (isHarmless(nested, this.#root) || this.#wasThere(tree, nested)) continue
      const kept = quarantine(dotGit, this.#root, copies)
      if (kept !== null) moved.push({ path: dotGit, kept })
    }
    return moved
  }

  /** Tells if the host has the repository already, during a transaction. Its changes are reviewed at the commit. */
  #wasThere(tree: string, { dotGit, gitDirectory }: Nested): boolean {
    if (this.#root === '') return false
    const before = this.#nestedIn(tree, '')
    const known = before.found.find((one) => one.dotGit === dotGit)
    return !before.isComplete || known?.gitDirectory === gitDirectory
  }

  /** Moves away an index that names more repositories than can be checked. */
  #quarantineIndex(tree: string, copies: CopiesLater): readonly Quarantined[] {
    const own = gitDirectoryAt(tree + DOT_GIT, this.#root)
    if (own === null || (this.#root !== '' && !this.#nestedIn(tree, '').isComplete)) return []
    const kept = quarantine(`${own}/index`, this.#root, copies)
    return kept === null ? [] : [{ path: `${own}/index`, kept }]
  }
}
