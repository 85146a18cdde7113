import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { revertSettings } from '../../core/git/revert-settings.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { lookAt } from '../untrusted-files/witness.js'
import { gitlinksOf } from './gitlinks.js'

/** Limit of repositories. Each needs mounts, and the start time of bubblewrap grows with their square. */
const MAX_REPOSITORIES = 256
const MAX_BYTES = 64 * 1024
/** Limit of names on the paths to all directories. The kernel resolves each of them. */
const MAX_NAMES = 20_000
/** Limit of index bytes in one search. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/** A repository in the tree of another. */
export interface Nested {
  /** Its `.git`: a directory or a file with its path. */
  readonly dotGit: string
  /** Directory of its configuration; null if it is unknown. */
  readonly gitDirectory: string | null
}

/** Returns paths that run programs for a repository or redirect git. */
export const guardedIn = (gitDirectory: string): readonly string[] =>
  ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `${gitDirectory}/${name}`)

function kindOf(path: string): 'file' | 'directory' | 'other' | null {
  try {
    const stats = lookAt(path)
    if (stats === undefined) return null
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other'
  } catch {
    return null
  }
}

const textOf = (path: string): string | null => readUntrustedFile(path, MAX_BYTES)?.toString('utf8') ?? null

/** Returns the target of a `.git`, in the view below `root`. */
export function gitDirectoryAt(dotGit: string, root = ''): string | null {
  const kind = kindOf(root + dotGit)
  if (kind === 'directory') return dotGit
  const target = kind === 'file' ? /^gitdir: (.+?)\s*$/.exec(textOf(root + dotGit) ?? '')?.[1] : undefined
  return target === undefined ? null : resolve(dirname(dotGit), target)
}

/** Repositories in the tree of another. */
export interface NestedRepositories {
  readonly found: readonly Nested[]
  /** False if the search hit a limit: a command can write an index with too many names. */
  readonly isComplete: boolean
}

const namesOf = (path: string): readonly string[] => path.split('/')
const isPlain = (path: string): boolean => namesOf(path).every((name) => name !== '' && name !== '.' && name !== '..')

/**
 * One search for nested repositories that git enters. The command controls the indexes, so they may name any path of
 * the host.
 */
class NestedSearch {
  readonly #root: string
  readonly #directories = new Map<string, boolean>()
  readonly #found = new Map<string, Nested>()
  #namesLeft = MAX_NAMES
  #bytesLeft = MAX_INDEX_BYTES
  #isComplete = true

  constructor(root: string) {
    this.#root = root
  }

  run(tree: string, gitDirectory: string): NestedRepositories {
    this.#directories.set(this.#root + tree, true)
    const ahead = [[tree, gitDirectory] as const]
    for (let next = ahead.shift(); next !== undefined && this.#isComplete; next = ahead.shift()) {
      const [top, directory] = next
      for (const { dotGit, gitDirectory: inner } of this.#namedBy(top, directory))
        if (inner !== null) ahead.push([dirname(dotGit), inner])
    }
    return { found: [...this.#found.values()], isComplete: this.#isComplete }
  }

  /** Adds the repositories that one index names, and returns those that are new. */
  #namedBy(tree: string, gitDirectory: string): readonly Nested[] {
    const { names, bytes } = gitlinksOf(this.#root + gitDirectory, this.#bytesLeft)
    this.#bytesLeft -= bytes
    if (names === 'too many') this.#isComplete = false
    const fresh: Nested[] = []
    for (const name of names === 'too many' ? [] : names) {
      const nested = this.#isComplete ? this.#repositoryAt(tree, name.replace(/\/$/, '')) : null
      if (nested === null) continue
      if (this.#found.size >= MAX_REPOSITORIES) this.#isComplete = false
      else {
        this.#found.set(nested.dotGit, nested)
        fresh.push(nested)
      }
    }
    return fresh
  }

  #repositoryAt(tree: string, path: string): Nested | null {
    if (!isPlain(path) || !this.#isDirectory(`${this.#root}${tree}/${path}`)) return null
    const dotGit = resolve(tree, path, '.git')
    if (this.#found.has(dotGit) || kindOf(this.#root + dotGit) === null) return null
    return { dotGit, gitDirectory: gitDirectoryAt(dotGit, this.#root) }
  }

  /** Reports whether a path without symlinks is a directory. Names share parents, so each parent is checked once. */
  #isDirectory(path: string): boolean {
    const known = this.#directories.get(path)
    if (known !== undefined) return known
    if (!this.#isDirectory(path.slice(0, path.lastIndexOf('/')))) return false
    this.#namesLeft -= namesOf(path).length
    if (this.#namesLeft < 0) this.#isComplete = false
    const is = this.#isComplete && kindOf(path) === 'directory'
    this.#directories.set(path, is)
    return is
  }
}

/** Finds the repositories that git enters from this one, recursively. */
export const nestedRepositories = (tree: string, gitDirectory: string, root = ''): NestedRepositories =>
  new NestedSearch(root).run(tree, gitDirectory)

/**
 * Reports whether a command may set every key of a configuration. That of a submodule also contains the path of its
 * tree.
 */
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
