import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import * as z from 'zod'

/** State of an entry that distinguishes its versions. Times in nanoseconds. */
export const Entry = z.strictObject({
  type: z.enum(['file', 'directory', 'symlink', 'special']),
  ino: z.string(),
  mode: z.int(),
  uid: z.int(),
  gid: z.int(),
  size: z.int(),
  links: z.int(),
  mtime: z.string(),
  ctime: z.string(),
})
export type Entry = z.infer<typeof Entry>

function typeOf(stats: BigIntStats): Entry['type'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  return stats.isSymbolicLink() ? 'symlink' : 'special'
}

export const entryOf = (stats: BigIntStats): Entry => ({
  type: typeOf(stats),
  ino: String(stats.ino),
  mode: Number(stats.mode & 0o7777n),
  uid: Number(stats.uid),
  gid: Number(stats.gid),
  size: stats.isDirectory() ? 0 : Number(stats.size),
  links: Number(stats.nlink),
  mtime: String(stats.mtimeNs),
  ctime: String(stats.ctimeNs),
})

/** Reports whether an entry is a deletion of overlayfs: a character device 0:0. */
export const isWhiteout = (stats: BigIntStats): boolean => stats.isCharacterDevice() && stats.rdev === 0n

/** Returns null if nothing exists or a parent is not a directory. Does not follow a final symlink. */
export function statsAt(path: Buffer | string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isErrno(error, 'ENOTDIR', 'ENOENT', 'ELOOP')) return null
    throw error
  }
}

export function entryAt(path: Buffer | string): Entry | null {
  const stats = statsAt(path)
  return stats && entryOf(stats)
}

/** Compares two versions. A rename changes only ctime, so `ctime` counts only for entries that were not moved. */
export const sameVersion = (a: Entry, b: Entry): boolean =>
  a.type === b.type && a.ino === b.ino && a.mode === b.mode && a.size === b.size && a.mtime === b.mtime

/** Reports whether an entry did not change at all, not even its mode and back. Ignores the content of directories. */
export const untouched = (a: Entry, b: Entry): boolean =>
  a.type === 'directory' ? a.ino === b.ino && b.type === 'directory' : sameVersion(a, b) && a.ctime === b.ctime

export const sameOwner = (a: Entry, b: Entry): boolean => a.uid === b.uid && a.gid === b.gid

/** Its owner may list it, pass through it and write to it; root may anyway. */
export const isOpenToOwner = ({ mode }: Entry): boolean => (mode & 0o700) === 0o700

/** Lists a directory; a missing one has no entries. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
