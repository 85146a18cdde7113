import { lookInto } from '../untrusted-files/witness.js'

/** A directory that changed so shortly before it was read can change again without another time. */
const UNCERTAIN_MS = 100

/** State of a directory at one moment. */
export interface DirectoryStamp {
  /** Changes whenever an entry is added, removed or replaced: no command can set a ctime. */
  readonly text: string
  /** True if every later change gives another text. */
  readonly isCertain: boolean
}

/** Returns the stamp of a directory. Null for anything else. Take it before the directory is read. */
export function stampOf(path: string): DirectoryStamp | null {
  try {
    const stats = lookInto(path)
    if (!stats?.isDirectory()) return null
    return {
      text: `${stats.dev}:${stats.ino}:${stats.ctimeMs}`,
      isCertain: stats.ctimeMs < Date.now() - UNCERTAIN_MS,
    }
  } catch {
    return null
  }
}
