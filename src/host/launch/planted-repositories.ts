import { dirname } from 'node:path'
import type { Mount } from '../../core/model/plan.js'
import { gitDirectoryAt, isHarmless, nestedRepositories } from '../git/repositories.js'
import { setAside, type TakenBack } from './set-aside.js'

const DOT_GIT = '/.git'
const IN_DOT_GIT = /\/\.git\/(?:config|hooks)$/
const IN_GIT_DIRECTORY = /\/(?:config|hooks)$/

/**
 * Repositories that a command puts into the tree of another and into its index: git goes into them by itself, and would run what their
 * configuration says. Those that were there are guarded by mounts of their own; of new ones only such may stay that can run nothing.
 */
export class PlantedRepositories {
  readonly #root: string
  readonly #guarded: ReadonlySet<string>
  /** Where the configuration of a repository is guarded, whichever tree it belongs to. */
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

  /** To be called when nothing of the command runs any more. */
  takeBack(): readonly TakenBack[] {
    const taken: TakenBack[] = []
    const seen = new Set<string>()
    for (const tree of this.#trees) {
      const own = gitDirectoryAt(tree + DOT_GIT, this.#root)
      for (const nested of own === null ? [] : nestedRepositories(tree, own, this.#root)) {
        const { dotGit } = nested
        if (seen.has(dotGit) || this.#guarded.has(dotGit)) continue
        seen.add(dotGit)
        if (this.#known.has(nested.gitDirectory ?? '') || isHarmless(nested, this.#root)) continue
        const kept = setAside(dotGit, this.#root, true)
        if (kept !== null) taken.push({ path: dotGit, kept })
      }
    }
    return taken
  }
}
