import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isInside } from '../../core/model/path.js'
import { realPath } from './real-path.js'
import { scriptText } from './script-text.js'

/** Directories of a repository that lie outside its working tree: what git must write, and what it must not. */
export interface GitDirectories {
  readonly writable: readonly string[]
  readonly protected: readonly string[]
}

const NONE: GitDirectories = { writable: [], protected: [] }
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

/** What a linked worktree or submodule needs besides its own tree. Nothing for an ordinary repository, or for none. */
export function gitDirectories(workspace: string): GitDirectories {
  const dotGit = `${workspace}/.git`
  const gitDirectory = gitDirectoryNamedBy(dotGit)
  if (gitDirectory === null || isInside(gitDirectory, workspace)) return NONE
  const common = commonDirectory(dotGit, gitDirectory)
  if (common === null) return { writable: [], protected: [dotGit] }
  const guarded = [common, gitDirectory].flatMap((place) =>
    ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir'].map((name) => `${place}/${name}`),
  )
  return { writable: [common], protected: [dotGit, ...new Set(guarded)] }
}
