import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openUp, openUpAll } from './open-up.js'

const O_PATH = 0o10000000
const PREFIX = 'cordon-quarantine-'

/** A protected place that a command changed though it may not, and where what it made was put; null when it made nothing. */
export interface TakenBack {
  readonly path: string
  readonly kept: string | null
}

export const takenBackInWords = ({ path, kept }: TakenBack): string =>
  kept === null
    ? `write: ${path} is protected; restored the symlink`
    : `write: ${path} is protected; moved the command's files to ${kept}`

/**
 * By way of an open directory that is checked to be where it was planned to be: a link planted at the last moment would otherwise have
 * us change a file of somebody else's choice. Null where it is elsewhere.
 */
function held<T>(path: string, root: string, act: (name: string, directory: string) => T): T | null {
  const directory = openSync(root + dirname(path), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    // In a transaction's own view no other command runs, and the path could not be compared.
    if (root === '' && readlinkSync(`/proc/self/fd/${directory}`) !== dirname(path)) return null
    openUp(directory)
    return act(`/proc/self/fd/${directory}/${basename(path)}`, `/proc/self/fd/${directory}`)
  } finally {
    closeSync(directory)
  }
}

/** To another file system, by programs that take names of any bytes, trees of any depth, and pipes. What cannot be kept does not stay for that. */
function copied(name: string, directory: string, to: string): void {
  try {
    openUpAll(join(directory, name))
  } catch {
    // Deeper than there are descriptors.
  }
  // They are started in it, because no other process may have a look at our descriptors.
  const there = { cwd: directory, env: {}, stdio: 'ignore' } as const
  spawnSync('/bin/cp', ['-a', '--', name, to], there)
  spawnSync('/bin/rm', ['-rf', '--', name], there)
}

/** A directory of its own for what is taken back; null where there is no room for one. */
function roomElsewhere(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), PREFIX))
  } catch {
    return null
  }
}

/** Moves what stands there to a directory of its own and says where; null when that cannot be done safely now. */
export function setAside(path: string, root: string, isOver: boolean): string | null {
  return held(path, root, (name, directory) => {
    const place = roomElsewhere()
    if (place === null) return isOver ? renamedBeside(path, directory) : null
    const kept = join(place, basename(path))
    try {
      renamed(name, kept)
    } catch {
      // Copying and deleting go through paths, under which a running command could put something else.
      if (!isOver) {
        rmSync(place, { recursive: true })
        return null
      }
      // Whatever comes of copying it, it is no longer where it was.
      renameSync(name, join(directory, basename(place)))
      copied(basename(place), directory, kept)
    }
    return kept
  })
}

/** A command can fill the disk; a name where there was one takes no room. */
function renamedBeside(path: string, directory: string): string {
  const name = `${PREFIX}${randomUUID()}`
  renameSync(`${directory}/${basename(path)}`, `${directory}/${name}`)
  return join(dirname(path), name)
}

/** A directory whose owner may not write it cannot be moved to another either. */
function renamed(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    const fd = openSync(from, O_PATH | constants.O_NOFOLLOW)
    try {
      openUp(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(from, to)
  }
}

/** Makes a link where none stands. */
export function putLink(path: string, root: string, to: string): void {
  held(path, root, (name) => symlinkSync(to, name))
}
