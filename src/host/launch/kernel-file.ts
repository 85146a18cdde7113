import { readFileSync } from 'node:fs'

/** Reads a file of /proc or of a control group as latin1: names there are bytes. */
export const kernelFile = (path: string): string => readFileSync(path, 'latin1')

/** The same; null where it is gone, or not ours to read. */
export function kernelFileIfAny(path: string): string | null {
  try {
    return kernelFile(path)
  } catch {
    return null
  }
}
