import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { CordonError } from '../../core/model/errors.js'

/** Settings are written by people. Larger than this it is something else. */
const MAX_BYTES = 262_144

/** Whose file it is: a project's comes with code nobody has read yet, so it gets no benefit of any doubt. */
export type Level = 'builtin' | 'system' | 'user' | 'project'

const refuse = (file: string, what: string): CordonError =>
  new CordonError('SETTINGS_INVALID', `${file} ${what}`, { file })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

function open(file: string, level: Level): number | null {
  // Without waiting: opening a pipe for reading would otherwise hang until somebody writes to it.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (level === 'project' ? constants.O_NOFOLLOW : 0)
  try {
    return openSync(file, flags)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ELOOP') {
      throw refuse(
        file,
        'is a symbolic link. The settings of a project must be a plain file inside it: replace the link by a copy.',
      )
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw refuse(
        file,
        'cannot be read (permission denied). Make it readable, or remove it; without it nothing is run.',
      )
    }
    throw refuse(file, `cannot be opened (${code}). Make it a readable file, or remove it.`)
  }
}

function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.alloc(Math.min(size, MAX_BYTES) + 1)
  let length = 0
  for (let n = -1; n !== 0 && length < buffer.length; length += n)
    n = readSync(fd, buffer, length, buffer.length - length, null)
  return buffer.subarray(0, length)
}

function checked(fd: number, file: string, level: Level, owner: number): string {
  const stat = fstatSync(fd)
  if (!stat.isFile()) throw refuse(file, 'is not a regular file. Replace it by a file, or remove it.')
  if (stat.size > MAX_BYTES)
    throw refuse(file, `is larger than ${MAX_BYTES} bytes, too large for settings. Shorten it.`)
  if ((level === 'user' || level === 'system') && (stat.mode & 0o002) !== 0) {
    throw refuse(file, 'can be written by everybody, so it cannot be trusted. Run `chmod o-w` on it.')
  }
  if (level === 'system' && (stat.mode & 0o020) !== 0 && stat.gid !== 0) {
    throw refuse(file, 'can be written by a group, so it cannot bind its users. Run `chmod g-w` on it.')
  }
  if (level === 'system' && stat.uid !== owner) {
    throw refuse(file, 'does not belong to root, so it cannot bind its users. Run `chown root` on it.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readAll(fd, stat.size))
  } catch {
    throw refuse(file, 'is not valid UTF-8. Save it as UTF-8.')
  }
}

/**
 * The text of a settings file; null when there is none. Throws SETTINGS_INVALID for anything that is not a plain, small, readable file,
 * and for a system file that does not belong to `owner`: root, but in tests.
 */
export function readSettingsFile(file: string, level: Level, owner = 0): string | null {
  const fd = open(file, level)
  if (fd === null) return null
  try {
    return checked(fd, file, level, owner)
  } finally {
    closeSync(fd)
  }
}
