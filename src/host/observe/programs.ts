import { accessSync, constants } from 'node:fs'
import { lookThrough } from '../untrusted-files/witness.js'
import { realPath } from './real-path.js'

function isExecutableFile(path: string): boolean {
  try {
    if (lookThrough(path)?.isFile() !== true) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the real path of a program: the first executable file of that name on the path. Null if there is none. */
export function findProgram(name: string, path: string, base: string): string | null {
  if (name === '' || name.includes('\0')) return null
  const candidates = name.includes('/')
    ? [name.startsWith('/') ? name : `${base}/${name}`]
    : path
        .split(':')
        .filter((directory) => directory.startsWith('/'))
        .map((directory) => `${directory}/${name}`)
  const found = candidates.find(isExecutableFile)
  return found === undefined ? null : realPath(found).real
}

const BASH_PLACES: readonly string[] = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']

/** Returns the bash of the system. A `bash` that a project put on PATH must not parse scripts. */
export const findBash = (): string => BASH_PLACES.find(isExecutableFile) ?? '/bin/bash'
