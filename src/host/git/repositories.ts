import { lstatSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { revertSettings } from '../../core/git/revert-settings.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { gitlinksOf } from './gitlinks.js'

/** More than this are not looked at. */
const MAX_REPOSITORIES = 1_000
const MAX_BYTES = 64 * 1024
/** Directories looked at on the way to them. */
const MAX_LOOKS = 20_000

/** A repository in the tree of another. */
export interface Nested {
  /** Its `.git`: a directory, or a file that says where that is. */
  readonly dotGit: string
  /** Where its configuration is; null where that cannot be told. */
  readonly gitDirectory: string | null
}

/** What runs programs on behalf of a repository, or leads git to another place for that. */
export const guardedIn = (gitDirectory: string): readonly string[] =>
  ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `${gitDirectory}/${name}`)

function kindOf(path: string): 'file' | 'directory' | 'other' | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other'
  } catch {
    return null
  }
}

const textOf = (path: string): string | null => readUntrustedFile(path, MAX_BYTES)?.toString('utf8') ?? null

/** Where a `.git` leads, as the view below `root` has it. */
export function gitDirectoryAt(dotGit: string, root = ''): string | null {
  const kind = kindOf(root + dotGit)
  if (kind === 'directory') return dotGit
  const target = kind === 'file' ? /^gitdir: (.+?)\s*$/.exec(textOf(root + dotGit) ?? '')?.[1] : undefined
  return target === undefined ? null : resolve(dirname(dotGit), target)
}

/**
 * Says of paths in a tree whether each is a directory, by a name that leads nowhere else. The index is the command's: it may name any place
 * of the host, and share deep directories among many names, so each is looked at once.
 */
class TreeDirectories {
  readonly #seen: Map<string, boolean>

  constructor(top: string) {
    this.#seen = new Map([[top, true]])
  }

  has(path: string): boolean {
    const known = this.#seen.get(path)
    if (known !== undefined) return known
    const is =
      this.has(path.slice(0, path.lastIndexOf('/'))) && this.#seen.size < MAX_LOOKS && kindOf(path) === 'directory'
    this.#seen.set(path, is)
    return is
  }
}

const isPlain = (path: string): boolean => path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** The repositories that git goes into by itself when it looks at this one, those inside them included. */
export function nestedRepositories(tree: string, gitDirectory: string, root = ''): readonly Nested[] {
  const found: Nested[] = []
  const ahead = [[tree, gitDirectory] as const]
  const directories = new TreeDirectories(root + tree)
  for (let next = ahead.shift(); next !== undefined && found.length < MAX_REPOSITORIES; next = ahead.shift()) {
    for (const name of gitlinksOf(root + next[1])) {
      const path = name.replace(/\/$/, '')
      if (!isPlain(path) || !directories.has(`${root}${next[0]}/${path}`)) continue
      const dotGit = resolve(next[0], path, '.git')
      if (kindOf(root + dotGit) === null || found.some((one) => one.dotGit === dotGit)) continue
      const inner = gitDirectoryAt(dotGit, root)
      found.push({ dotGit, gitDirectory: inner })
      if (inner !== null) ahead.push([dirname(dotGit), inner])
    }
  }
  return found
}

/** Is this a configuration of which a command may set every key? One of a submodule also says where its tree is. */
export function isHarmlessConfig(path: string): boolean {
  const after = kindOf(path) === 'file' ? textOf(path) : null
  return after !== null && revertSettings({ before: null, after, isModule: path.includes('/modules/') }).text === after
}

/** Only the samples that a fresh repository brings. */
export function areHarmlessHooks(path: string): boolean {
  try {
    return kindOf(path) === 'directory' && readdirSync(path).every((name) => name.endsWith('.sample'))
  } catch {
    return false
  }
}

/** May git be led into a repository that a command made? */
export function isHarmless({ gitDirectory }: Nested, root = ''): boolean {
  if (gitDirectory === null) return false
  return guardedIn(root + gitDirectory).every((path) => {
    if (kindOf(path) === null) return true
    return path.endsWith('/config') ? isHarmlessConfig(path) : path.endsWith('/hooks') && areHarmlessHooks(path)
  })
}
