import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

const MAX_BYTES = 1024 * 1024
const bytes = (path: string): Buffer => Buffer.from(path, 'latin1')

/**
 * The file system as a command left it, or as it is on the host. Paths are absolute, and hold one character for each byte. None is ever
 * followed through a symlink below the roots.
 */
export class View {
  readonly #at: string
  readonly #roots: readonly string[]

  /** `at`: where it is found; empty for the host's own. `roots`: the directories that the command could write. */
  constructor(at: string, roots: readonly string[]) {
    this.#at = at
    this.#roots = roots
  }

  /** Where the engine finds the path. */
  place(path: string): Buffer {
    return bytes(this.#at + path)
  }

  /** Says what stands there; null where nothing does, or where a symlink is on the way. */
  stats(path: string): Stats | null {
    const root = this.#roots.find((one) => path === one || path.startsWith(`${one}/`))
    if (root === undefined) return null
    const names = path.slice(root.length).split('/').slice(1)
    let at = root
    for (const [index, name] of names.entries()) {
      at = `${at}/${name}`
      const found = this.#lstat(at)
      if (found === null || index === names.length - 1) return found
      if (!found.isDirectory()) return null
    }
    return this.#lstat(root)
  }

  isThere = (path: string): boolean => this.stats(path) !== null

  isDirectory = (path: string): boolean => this.stats(path)?.isDirectory() === true

  /** Reads a small regular file, one character for each byte. Null for anything else. */
  text(path: string): string | null {
    return this.stats(path)?.isFile()
      ? (readUntrustedFile(this.place(path), MAX_BYTES)?.toString('latin1') ?? null)
      : null
  }

  names(path: string): readonly string[] {
    try {
      return this.isDirectory(path) ? readdirSync(this.place(path), { encoding: 'latin1' }) : []
    } catch {
      return []
    }
  }

  /** Says whether git takes the directory for a repository, or for what belongs to one. */
  isGitDirectory(path: string): boolean {
    if (!this.isThere(`${path}/HEAD`)) return false
    return this.isThere(`${path}/commondir`) || (this.isThere(`${path}/objects`) && this.isThere(`${path}/refs`))
  }

  /** Where a `.git` file leads; null where it is none. */
  gitDirectoryOf(dotGit: string): string | null {
    const target = /^gitdir: ([^\0]+?)[\r\n]*$/.exec(this.text(dotGit) ?? '')?.[1]
    return target === undefined ? null : resolve(dotGit, '..', target)
  }

  /** Where a git directory keeps what all worktrees share: mostly itself. Null where that cannot be told. */
  commonDirectoryOf(gitDirectory: string): string | null {
    if (!this.isThere(`${gitDirectory}/commondir`)) return gitDirectory
    const target = /^([^\0]+?)[\r\n]*$/.exec(this.text(`${gitDirectory}/commondir`) ?? '')?.[1]
    return target === undefined ? null : resolve(gitDirectory, target)
  }

  #lstat(path: string): Stats | null {
    try {
      return lstatSync(this.place(path), { throwIfNoEntry: false }) ?? null
    } catch {
      return null
    }
  }
}
