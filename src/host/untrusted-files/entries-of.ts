import { type Dirent, opendirSync } from 'node:fs'
import { lookThroughInto } from './witness.js'

/** Read at once: more than most directories have. */
const AT_ONCE = 256

/** Lists at most `max` entries of a directory that a command may have filled. None where it cannot be listed. */
export function entriesOf(path: string, max: number): readonly Dirent[] {
  try {
    // Usually missing, and this check is cheaper than an exception.
    return lookThroughInto(path)?.isDirectory() === true ? entriesIn(path, max) : []
  } catch {
    return []
  }
}

/** As `entriesOf`, of a directory that was looked into a moment ago. */
export function entriesIn(path: string, max: number): readonly Dirent[] {
  const found: Dirent[] = []
  try {
    const directory = opendirSync(path, { bufferSize: AT_ONCE })
    try {
      for (let entry = directory.readSync(); entry !== null && found.length < max; entry = directory.readSync())
        found.push(entry)
    } finally {
      directory.closeSync()
    }
  } catch {
    return found
  }
  return found
}
