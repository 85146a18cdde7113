import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { grantOwnerAccess, grantOwnerAccessToTree } from './grant-owner-access.js'

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

/**
 * Copies to another file system by programs that accept names of any bytes, deep trees and FIFOs, then deletes the
 * source even if the copy failed.
 */
function copyAndDelete(name: string, directory: string, to: string): void {
  try {
    grantOwnerAccessToTree(join(directory, name))
  } catch {
    // The tree is deeper than the number of descriptors.
  }
  // Started in the directory, because no other process may see our descriptors.
  const options = { cwd: directory, env: {}, stdio: 'ignore' } as const
  spawnSync('/bin/cp', ['-a', '--', name, to], options)
  spawnSync('/bin/rm', ['-rf', '--', name], options)
}

/** Creates a directory in quarantine. Returns null if there is no room. */
function makeQuarantineDirectory(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), PREFIX))
  } catch {
    return null
  }
}

/** Moves a file to a new quarantine directory and returns its path there. Returns null if that is not safe now. */
export function quarantine(path: string, root: string, isOver: boolean): string | null {
  return inCheckedDirectory(path, root, (name, directory) => {
    const quarantineDirectory = makeQuarantineDirectory()
    if (quarantineDirectory === null) return isOver ? renameInDirectory(path, directory) : null
    const kept = join(quarantineDirectory, basename(path))
    try {
      renameWithAccess(name, kept)
    } catch {
      // Copying and deleting use paths, which a running command could replace.
      if (!isOver) {
        rmSync(quarantineDirectory, { recursive: true })
        return null
      }
      // Moved first, so that the path is free even if copying fails.
      renameSync(name, join(directory, basename(quarantineDirectory)))
      copyAndDelete(basename(quarantineDirectory), directory, kept)
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

/** Creates a symlink at a free path. */
export function makeSymlink(path: string, root: string, to: string): void {
  inCheckedDirectory(path, root, (name) => symlinkSync(to, name))
}
