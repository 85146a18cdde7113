import { type BigIntStats, lstatSync } from 'node:fs'
import * as z from 'zod'

/** What stands at a path, as far as it tells one version of a thing from another. Times in nanoseconds. */
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

/** How overlayfs writes a deletion: a character device 0:0. */
export const isWhiteout = (stats: BigIntStats): boolean => stats.isCharacterDevice() && stats.rdev === 0n

/** Null when nothing is there, or what should be a directory on the way is none. Links are never followed at the end. */
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

/** The same version: renaming a thing changes its ctime only, so `ctime` is compared where it was not moved. */
export const sameVersion = (a: Entry, b: Entry): boolean =>
  a.type === b.type && a.ino === b.ino && a.mode === b.mode && a.size === b.size && a.mtime === b.mtime

/** Nothing at all happened to it, not even a change of mode and back. A directory's contents are not looked at. */
export const untouched = (a: Entry, b: Entry): boolean =>
  a.type === 'directory' ? a.ino === b.ino && b.type === 'directory' : sameVersion(a, b) && a.ctime === b.ctime

export const sameOwner = (a: Entry, b: Entry): boolean => a.uid === b.uid && a.gid === b.gid

/** Its owner may list it, pass through it and write to it; root may anyway. */
export const isOpenToOwner = ({ mode }: Entry): boolean => (mode & 0o700) === 0o700

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
