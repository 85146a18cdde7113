import { type Dirent, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isInside } from '../../core/model/path.js'
import { realPath } from './real-path.js'
import { scriptText } from './script-text.js'

/** Directories of a repository that lie outside its working tree: what git must write, and what it must not. */
export interface GitDirectories {
  readonly writable: readonly string[]
  readonly protected: readonly string[]
}

/** More submodules than this, and the rest is left to the wall around the workspace. */
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
  for (let next = ahead.shift(); next !== undefined && ahead.length < MAX_MODULES; next = ahead.shift()) {
    for (const entry of entriesOf(next)) {
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

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What runs programs on behalf of a repository. */
const guardedIn = (repository: string): readonly string[] => [`${repository}/hooks`, `${repository}/config`]

/** What a linked worktree or submodule needs besides its own tree. For an ordinary repository what its submodules must not have changed. */
export function gitDirectories(workspace: string): GitDirectories {
  const dotGit = `${workspace}/.git`
  const gitDirectory = gitDirectoryNamedBy(dotGit)
  const modules = modulesOf(dotGit).flatMap(guardedIn)
  if (gitDirectory === null || isInside(gitDirectory, workspace)) return { writable: [], protected: modules }
  const common = commonDirectory(dotGit, gitDirectory)
  if (common === null) return { writable: [], protected: [dotGit] }
  const guarded = [common, gitDirectory].flatMap((place) =>
    ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir'].map((name) => `${place}/${name}`),
  )
  return { writable: [common], protected: [dotGit, ...new Set(guarded)] }
}
