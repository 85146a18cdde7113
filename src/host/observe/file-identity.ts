import { statSync } from 'node:fs'

/** Tells one version of a file from another. A command cannot set the time of a change of its inode. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return null
  }
}
