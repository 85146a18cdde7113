import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 65_536
const chunk = Buffer.allocUnsafe(CHUNK_BYTES)

/**
 * What a file of /proc or of a control group says, as latin1: names there are bytes. Node's own way makes a new buffer of 64 KiB for each, because such files
 * have no size, and that takes longer than the kernel does.
 */
export function kernelFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    let text = ''
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK_BYTES, null)
      if (length === 0) return text
      text += chunk.toString('latin1', 0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** The same; null where it is gone, or not ours to read. */
export function kernelFileIfAny(path: string): string | null {
  try {
    return kernelFile(path)
  } catch {
    return null
  }
}
