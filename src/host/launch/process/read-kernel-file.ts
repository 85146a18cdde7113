import { readFileSync } from 'node:fs'

/** Reads a file of /proc or of a cgroup as latin1, because names there are bytes. */
export const kernelFile = (path: string): string => readFileSync(path, 'latin1')

/** Reads such a file. Returns null if it is gone or unreadable. */
export function kernelFileIfAny(path: string): string | null {
  try {
    return kernelFile(path)
  } catch {
    return null
  }
}
