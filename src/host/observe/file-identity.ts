import { statSync } from 'node:fs'

/** Returns the identity of a file version. A command cannot set the ctime of an inode. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return null
  }
}
