import { randomUUID } from 'node:crypto'
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { CopiesLater } from './copies-later.js'
import { grantOwnerAccess } from './grant-owner-access.js'

const O_PATH = 0o10000000
const PREFIX = 'cordon-quarantine-'

/** Protected path that a command changed, and the quarantine path of its files. Null if it made none. */
export interface Quarantined {
  readonly path: string
  readonly kept: string | null
}

/**
 * Calls `act` in the open directory of a path, after checking that the directory is still at its planned path. A
 * symlink planted at the last moment would otherwise redirect the change to another file. Returns null if the directory
 * was replaced.
 */
function inCheckedDirectory<T>(path: string, root: string, act: (name: string, directory: string) => T): T | null {
  const directory = openSync(root + dirname(path), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    // No other command runs in a transaction's own view, and its path cannot be compared.
    if (root === '' && readlinkSync(`/proc/self/fd/${directory}`) !== dirname(path)) return null
    grantOwnerAccess(directory)
    return act(`/proc/self/fd/${directory}/${basename(path)}`, `/proc/self/fd/${directory}`)
  } finally {
    closeSync(directory)
  }
}

/** Creates a directory in quarantine. Returns null if there is no room. */
function makeQuarantineDirectory(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), PREFIX))
  } catch {
    return null
  }
}

/**
 * Moves a file to a new quarantine directory and returns its path there. Returns null if that is not safe now. `copies`
 * takes what is on another file system; null while the command runs.
 */
export function quarantine(path: string, root: string, copies: CopiesLater | null): string | null {
  return inCheckedDirectory(path, root, (name, directory) => {
    const quarantineDirectory = makeQuarantineDirectory()
    if (quarantineDirectory === null) return copies === null ? null : renameInDirectory(path, directory)
    const kept = join(quarantineDirectory, basename(path))
    try {
      renameWithAccess(name, kept)
    } catch {
      // Copying and deleting use paths, which a running command could replace.
      if (copies === null) {
        rmSync(quarantineDirectory, { recursive: true })
        return null
      }
      // Moved first, so that the path is free even if copying fails.
      const spare = join(directory, basename(quarantineDirectory))
      renameSync(name, spare)
      copies.add(spare, kept)
    }
    return kept
  })
}

/** Renames a file in its own directory, which needs no room on a full disk. */
function renameInDirectory(path: string, directory: string): string {
  const name = `${PREFIX}${randomUUID()}`
  renameSync(`${directory}/${basename(path)}`, `${directory}/${name}`)
  return join(dirname(path), name)
}

/**
 * Renames a file or directory. A directory that its owner may not write cannot move to another directory, so this
 * grants access first.
 */
function renameWithAccess(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    const fd = openSync(from, O_PATH | constants.O_NOFOLLOW)
    try {
      grantOwnerAccess(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(from, to)
  }
}

export function makeSymlink(path: string, root: string, to: string): void {
  inCheckedDirectory(path, root, (name) => symlinkSync(to, name))
}
