import {
  closeSync,
  constants,
  cpSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const O_PATH = 0o10000000

/** A protected place that a command changed though it may not, and where what it made was put; null when it made nothing. */
export interface TakenBack {
  readonly path: string
  readonly kept: string | null
}

/**
 * By way of an open directory that is checked to be where it was planned to be: a link planted at the last moment would otherwise have
 * us change a file of somebody else's choice. Null where it is elsewhere.
 */
function held<T>(path: string, root: string, act: (name: string) => T): T | null {
  const directory = openSync(root + dirname(path), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    // In a transaction's own view no other command runs, and the path could not be compared.
    if (root === '' && readlinkSync(`/proc/self/fd/${directory}`) !== dirname(path)) return null
    return act(`/proc/self/fd/${directory}/${basename(path)}`)
  } finally {
    closeSync(directory)
  }
}

/** Moves what stands there to a directory of its own and says where; null when that cannot be done safely now. */
export function setAside(path: string, root: string, isOver: boolean): string | null {
  return held(path, root, (name) => {
    const place = mkdtempSync(join(tmpdir(), 'cordon-taken-back-'))
    const kept = join(place, basename(path))
    try {
      renameSync(name, kept)
    } catch {
      // Copying and deleting go through paths, under which a running command could put something else.
      if (!isOver) {
        rmSync(place, { recursive: true })
        return null
      }
      cpSync(name, kept, { recursive: true, verbatimSymlinks: true })
      rmSync(name, { recursive: true, force: true })
    }
    return kept
  })
}

/** Makes a link where none stands. */
export function putLink(path: string, root: string, to: string): void {
  held(path, root, (name) => symlinkSync(to, name))
}
