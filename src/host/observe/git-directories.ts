import { lstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isInside } from '../../core/model/path.js'
import { configuredPlaces, personalConfigs } from '../git/configured-places.js'
import { guardedIn, nestedRepositories } from '../git/repositories.js'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { realPath } from './real-path.js'
import { scriptText } from './script-text.js'

/** Whose configuration git reads besides that of the repository. */
export interface Person {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Directories of a repository that lie outside its working tree: what git must write, and what it must not. */
export interface GitDirectories {
  readonly writable: readonly string[]
  readonly protected: readonly string[]
  /** Those of `protected` that are reviewed where a transaction commits: configuration, and the way from one directory to another. */
  readonly reviewed: readonly string[]
}

/** More submodules or worktrees than this, and the rest is left to the wall around the workspace. */
const MAX_MODULES = 1_000
const firstLine = (path: string): string | null => scriptText(path)?.split('\n')[0]?.trim() ?? null
const real = (path: string): string => realPath(path).real

function gitDirectoryNamedBy(dotGit: string): string | null {
  if (!statSync(dotGit, { throwIfNoEntry: false })?.isFile()) return null
  const target = /^gitdir: (.+)$/.exec(firstLine(dotGit) ?? '')?.[1]
  return target === undefined ? null : real(resolve(dirname(dotGit), target))
}

/**
 * The `.git` file of a worktree is under the command's control: on its own word any directory would become writable. It counts
 * only when the directory it names points back to it, from a place the command could not write.
 */
function commonDirectory(dotGit: string, gitDirectory: string): string | null {
  const back = firstLine(`${gitDirectory}/gitdir`)
  if (back !== null && real(resolve(gitDirectory, back)) === dotGit) {
    const common = firstLine(`${gitDirectory}/commondir`)
    const found = common === null ? null : real(resolve(gitDirectory, common))
    return found !== null && isInside(gitDirectory, `${found}/worktrees`) ? found : null
  }
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(scriptText(`${gitDirectory}/config`) ?? '')?.[1]
  const isSubmodule = tree !== undefined && real(resolve(gitDirectory, tree)) === dirname(dotGit)
  return isSubmodule && /\/\.git\/modules\//.test(gitDirectory) ? gitDirectory : null
}

/** Where the repositories of submodules lie, those of submodules of submodules included. Their hooks run when they are used. */
function modulesOf(repository: string): readonly string[] {
  const found: string[] = []
  const ahead = [`${repository}/modules`]
  let looked = 0
  for (let next = ahead.shift(); next !== undefined && looked < MAX_MODULES; next = ahead.shift()) {
    looked += 1
    for (const entry of entriesOf(next, MAX_MODULES)) {
      if (!entry.isDirectory()) continue
      const path = `${next}/${entry.name}`
      // A name with slashes is a directory of directories.
      const isModule = statSync(`${path}/HEAD`, { throwIfNoEntry: false })?.isFile() === true
      if (isModule) found.push(path)
      ahead.push(isModule ? `${path}/modules` : path)
    }
  }
  return found
}

/** What leads git to a linked worktree, and from there back to what all of them share. */
const worktreesOf = (repository: string): readonly string[] =>
  entriesOf(`${repository}/worktrees`, MAX_MODULES).flatMap(({ name }) =>
    ['commondir', 'config.worktree', 'gitdir'].map((file) => `${repository}/worktrees/${name}/${file}`),
  )

/** Repositories in the tree that git goes into by itself. What a file in place of `.git` says must stay as it is, too. */
function nestedIn(workspace: string, gitDirectory: string): readonly string[] {
  return nestedRepositories(workspace, gitDirectory).flatMap((nested) => [
    ...(nested.gitDirectory === nested.dotGit ? [] : [nested.dotGit]),
    ...(nested.gitDirectory === null ? [] : guardedIn(nested.gitDirectory)),
  ])
}

/** Git takes a directory with these for a repository, whatever else is in it. The first that is not there must not come to be. */
function bareIn(workspace: string): readonly string[] {
  const missing = ['HEAD', 'objects', 'refs'].find(
    (name) => lstatSync(`${workspace}/${name}`, { throwIfNoEntry: false }) === undefined,
  )
  return missing === undefined ? guardedIn(workspace) : [`${workspace}/${missing}`]
}

/** Hooks and configuration in the tree that others name. What is outside of it no command can write. */
function configuredIn(workspace: string, repositories: readonly string[], { home, env }: Person): readonly string[] {
  const configs = [
    ...repositories.flatMap((repository) => [`${repository}/config`, `${repository}/config.worktree`]),
    ...personalConfigs(home, env.XDG_CONFIG_HOME),
  ]
  return configuredPlaces(configs, workspace, home, scriptText).filter(
    (path) => path !== workspace && isInside(path, workspace),
  )
}

/**
 * What a linked worktree or submodule needs besides its own tree; and for every repository what must not be changed in it, or come to be,
 * since git would run what it says, or be led elsewhere.
 */
export function gitDirectories(workspace: string, person: Person): GitDirectories {
  const dotGit = `${workspace}/.git`
  const named = gitDirectoryNamedBy(dotGit)
  const own = named ?? dotGit
  const common = named === null || isInside(named, workspace) ? own : commonDirectory(dotGit, named)
  if (common === null) return { writable: [], protected: [dotGit, ...bareIn(workspace)], reviewed: [] }
  const isLinked = named !== null || !statSync(dotGit, { throwIfNoEntry: false })?.isDirectory()
  const repositories = [common, own, ...modulesOf(common)]
  const fixed = new Set([
    ...(isLinked ? [dotGit] : []),
    ...(common === own ? [] : [`${own}/gitdir`, `${own}/commondir`]),
    ...configuredIn(workspace, [common, own], person),
    ...bareIn(workspace),
  ])
  const guarded = [...repositories.flatMap(guardedIn), ...worktreesOf(common), ...nestedIn(workspace, own)]
  return {
    writable: isInside(common, workspace) ? [] : [common],
    protected: [...new Set([...fixed, ...guarded])],
    reviewed: guarded.filter((path) => !path.endsWith('/hooks') && !fixed.has(path)),
  }
}
