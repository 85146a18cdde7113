import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** Scripts larger than this are not read: what is in them is reported as not known. */
const MAX_BYTES = 256 * 1024
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, null)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** The text of a regular, small, valid UTF-8 file; null for anything else. Never blocks on a pipe or device. */
export function scriptText(path: string): string | null {
  if (path.includes('\0')) return null
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile() || stats.size > MAX_BYTES) return null
      const bytes = readAll(descriptor, stats.size)
      return bytes.includes(0) ? null : DECODER.decode(bytes)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}
