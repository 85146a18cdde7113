import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

const MAX_BYTES = 1024 * 1024
const bytes = (path: string): Buffer => Buffer.from(path, 'latin1')

/**
 * The file system after a command, or on the host. Paths are absolute, one character per byte. Symlinks below the roots
 * are not followed.
 */
export class View {
  readonly #at: string
  readonly #roots: readonly string[]

  /** `at`: where it is found; empty for the host's own. `roots`: the directories that the command could write. */
  constructor(at: string, roots: readonly string[]) {
    this.#at = at
    this.#roots = roots
  }

  /** Returns the path for system calls of the engine. */
  place(path: string): Buffer {
    return bytes(this.#at + path)
  }

  /** Returns the stats of a path; null if it does not exist or a symlink is on the way. */
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

  /** Reports whether git treats a directory as a repository or as a part of one. */
  isGitDirectory(path: string): boolean {
    if (!this.isThere(`${path}/HEAD`)) return false
    return this.isThere(`${path}/commondir`) || (this.isThere(`${path}/objects`) && this.isThere(`${path}/refs`))
  }

  /** Returns the target of a `.git` file; null for other files. */
  gitDirectoryOf(dotGit: string): string | null {
    const target = /^gitdir: ([^\0]+?)[\r\n]*$/.exec(this.text(dotGit) ?? '')?.[1]
    return target === undefined ? null : resolve(dotGit, '..', target)
  }

  /** Returns the directory that all worktrees share, usually the git directory itself. Null if it is unknown. */
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
