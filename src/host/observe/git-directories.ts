import { dirname, resolve } from 'node:path'
import { isInside } from '../../core/model/basics/path.js'
import { configuredPaths, personalConfigs } from '../git/configured-paths.js'
import { guardedIn, nestedRepositories } from '../git/repositories.js'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { lookAt, lookThrough } from '../untrusted-files/witness.js'
import { realPath } from './real-path.js'
import { scriptText } from './script-text.js'

/** The person whose git configuration applies besides that of the repository. */
export interface Person {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Directories of a repository outside its working tree: writable for git, or protected. */
export interface GitDirectories {
  readonly writable: readonly string[]
  readonly protected: readonly string[]
  /** Entries of `protected` that a commit reviews: configuration, and files that link directories. */
  readonly reviewed: readonly string[]
  /** Directories with too many repositories to protect singly. Commands write to them only in reviewed transactions. */
  readonly crowded: readonly string[]
}

/** Limit of submodules or worktrees. */
const MAX_MODULES = 128
/** Limit of entries in the search for them. */
const MAX_LOOKS = 5_000
const firstLine = (path: string): string | null => scriptText(path)?.split('\n')[0]?.trim() ?? null
const real = (path: string): string => realPath(path).real

function gitDirectoryNamedBy(dotGit: string): string | null {
  if (!lookThrough(dotGit)?.isFile()) return null
  const target = /^gitdir: (.+)$/.exec(firstLine(dotGit) ?? '')?.[1]
  return target === undefined ? null : real(resolve(dirname(dotGit), target))
}

/**
 * Returns the common directory of a worktree. A command controls the `.git` file, so it could make any directory
 * writable. It counts only if the named directory points back to it from a path that the command cannot write.
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

/** Paths to protect, and directories with too many of them. */
interface Guarded {
  readonly paths: readonly string[]
  readonly crowded: readonly string[]
}

/** Returns the repositories of submodules, recursively. Their hooks run on use. */
function modulesOf(repository: string): Guarded {
  const top = `${repository}/modules`
  const found: string[] = []
  const ahead = [top]
  let looked = 0
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const entries = entriesOf(next, MAX_MODULES + 1)
    looked += entries.length
    if (looked > MAX_LOOKS || entries.length > MAX_MODULES || found.length > MAX_MODULES)
      return { paths: [], crowded: [top] }
    for (const entry of entries) {
      if (!entry.isDirectory()) continue
      const path = `${next}/${entry.name}`
      // A name with slashes is a directory of directories.
      const isModule = lookThrough(`${path}/HEAD`)?.isFile() === true
      if (isModule) found.push(path)
      ahead.push(isModule ? `${path}/modules` : path)
    }
  }
  return { paths: found.flatMap(guardedIn), crowded: [] }
}

/** Returns the files that link a worktree to the shared repository. */
function worktreesOf(repository: string): Guarded {
  const top = `${repository}/worktrees`
  const entries = entriesOf(top, MAX_LOOKS + 1)
  const found = entries.filter(
    // Without it git knows no worktree there, and a command can make thousands of such directories.
    ({ name }) => lookAt(`${top}/${name}/gitdir`) !== undefined,
  )
  if (found.length > MAX_MODULES || entries.length > MAX_LOOKS) return { paths: [], crowded: [top] }
  const names = ['commondir', 'config.worktree', 'gitdir']
  return { paths: found.flatMap(({ name }) => names.map((file) => `${top}/${name}/${file}`)), crowded: [] }
}

/** Returns nested repositories that git enters. A `.git` file must keep its content. */
function nestedIn(workspace: string, gitDirectory: string): Guarded {
  const { found, isComplete } = nestedRepositories(workspace, gitDirectory)
  if (!isComplete) return { paths: [], crowded: [workspace] }
  const paths = found.flatMap((nested) => [
    ...(nested.gitDirectory === nested.dotGit ? [] : [nested.dotGit]),
    ...(nested.gitDirectory === null ? [] : guardedIn(nested.gitDirectory)),
  ])
  return { paths, crowded: [] }
}

/** Returns paths that would make a directory a bare repository. The first missing one must not be created. */
function bareIn(workspace: string): readonly string[] {
  const missing = ['HEAD', 'objects', 'refs'].find((name) => lookAt(`${workspace}/${name}`) === undefined)
  return missing === undefined ? guardedIn(workspace) : [`${workspace}/${missing}`]
}

/** Hooks and configuration in the tree that others name. What is outside of it no command can write. */
function configuredIn(workspace: string, repositories: readonly string[], { home, env }: Person): readonly string[] {
  const configs = [
    ...repositories.flatMap((repository) => [`${repository}/config`, `${repository}/config.worktree`]),
    ...personalConfigs(home, env.XDG_CONFIG_HOME),
  ]
  return configuredPaths(configs, workspace, home, scriptText).filter(
    (path) => path !== workspace && isInside(path, workspace),
  )
}

/**
 * Returns the directories that a linked worktree or submodule needs outside its tree, and for every repository the
 * paths that must not be changed or created, because git would run or follow them.
 */
export function gitDirectories(workspace: string, person: Person): GitDirectories {
  const dotGit = `${workspace}/.git`
  const named = gitDirectoryNamedBy(dotGit)
  const own = named ?? dotGit
  const common = named === null || isInside(named, workspace) ? own : commonDirectory(dotGit, named)
  if (common === null) return { writable: [], protected: [dotGit, ...bareIn(workspace)], reviewed: [], crowded: [] }
  const isLinked = named !== null || !lookThrough(dotGit)?.isDirectory()
  const fixed = new Set([
    ...(isLinked ? [dotGit] : []),
    ...(common === own ? [] : [`${own}/gitdir`, `${own}/commondir`]),
    ...configuredIn(workspace, [common, own], person),
    ...bareIn(workspace),
  ])
  const others = [modulesOf(common), worktreesOf(common), nestedIn(workspace, own)]
  const guarded = [...[common, own].flatMap(guardedIn), ...others.flatMap(({ paths }) => paths)]
  return {
    writable: isInside(common, workspace) ? [] : [common],
    protected: [...new Set([...fixed, ...guarded])],
    reviewed: guarded.filter((path) => !path.endsWith('/hooks') && !fixed.has(path)),
    crowded: others.flatMap(({ crowded }) => crowded),
  }
}
