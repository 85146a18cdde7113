import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'

/** Settings are written by people. Larger than this it is something else. */
const MAX_BYTES = 262_144

/** Origin of a file. A project file comes with unread code, so it is not trusted. */
export type Level = 'builtin' | 'system' | 'user' | 'project'

const refuse = (file: string, what: string): CordonError =>
  new CordonError('SETTINGS_INVALID', `${file} ${what}`, { file })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

function open(file: string, level: Level): number | null {
  // Does not wait, because opening a pipe would block until a process writes to it.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (level === 'project' ? constants.O_NOFOLLOW : 0)
  try {
    return openSync(file, flags)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ELOOP') {
      throw refuse(
        file,
        'is a symlink. Project settings must be a regular file in the project. Replace the symlink by a copy.',
      )
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw refuse(
        file,
        'cannot be read (permission denied). Make it readable, or remove it. Cordon runs no command until then.',
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
    throw refuse(file, 'is writable by every user, so Cordon does not trust it. Run `chmod o-w` on it.')
  }
  if (level === 'system' && (stat.mode & 0o020) !== 0 && stat.gid !== 0) {
    throw refuse(file, 'is writable by a group, so it cannot bind users. Run `chmod g-w` on it.')
  }
  if (level === 'system' && stat.uid !== owner) {
    throw refuse(file, 'does not belong to root, so it cannot bind users. Run `chown root` on it.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readAll(fd, stat.size))
  } catch {
    throw refuse(file, 'is not valid UTF-8. Save it as UTF-8.')
  }
}

/**
 * Returns the text of a settings file; null if there is none. Throws SETTINGS_INVALID if it is not a regular, small,
 * readable file, or if a system file does not belong to `owner`.
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
