import { randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, type Stats, writeFileSync } from 'node:fs'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** A longer file is not one that Cordon wrote. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

/**
 * An open directory with untrusted content. It resolves every name in the directory itself and follows no symlink, so a
 * swapped parent has no effect. The caller closes it.
 */
export class PrivateDirectory {
  readonly #fd: number

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Opens a directory of Cordon's own state. Throws if it is missing or a symlink. */
  static open(path: string): PrivateDirectory {
    return new PrivateDirectory(openSync(path, DIRECTORY))
  }

  /** Returns a path that names the entry of this very directory while it is open. */
  path(name: string): string {
    return `/proc/self/fd/${this.#fd}/${name}`
  }

  look(name: string): Stats | null {
    return lstatSync(this.path(name), { throwIfNoEntry: false }) ?? null
  }

  /** Opens the directory of this name, creating it if necessary. Moves any other entry of that name away. */
  enter(name: string): PrivateDirectory {
    const found = this.look(name)
    if (found !== null && !found.isDirectory()) this.moveAway(name)
    if (found === null || !found.isDirectory()) mkdirSync(this.path(name), { mode: 0o755 })
    return new PrivateDirectory(openSync(this.path(name), DIRECTORY))
  }

  /** Makes an empty file unless there is one. Moves anything else of that name out of the way. */
  ensureFile(name: string): void {
    const found = this.look(name)
    if (found?.isFile()) return
    if (found !== null) this.moveAway(name)
    closeSync(openSync(this.path(name), CREATE, 0o644))
  }

  /** Returns the text of a regular file; null if there is none of this name. */
  read(name: string): string | null {
    return readUntrustedFile(this.path(name), MAX_TEXT_BYTES)?.toString('utf8') ?? null
  }

  /** Replaces the entry by a file with this text. Other processes see the old or the new one. */
  write(name: string, text: string): void {
    if (this.look(name)?.isDirectory()) this.moveAway(name)
    const unfinished = `.${randomUUID()}.cordon`
    writeFileSync(this.path(unfinished), text, { flag: 'wx', mode: 0o644 })
    renameSync(this.path(unfinished), this.path(name))
  }

  moveAway(name: string): void {
    renameSync(this.path(name), this.path(`${name}.moved-by-cordon-${randomUUID().slice(0, 8)}`))
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** Calls `act` with the directory at a relative path below `root`, made if necessary. */
export function within<T>(root: string, path: string, act: (directory: PrivateDirectory) => T): T {
  let directory = PrivateDirectory.open(root)
  try {
    for (const name of path.split('/').filter((part) => part !== '')) {
      const next = directory.enter(name)
      directory.close()
      directory = next
    }
    return act(directory)
  } finally {
    directory.close()
  }
}
