import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { lookThrough } from '../untrusted-files/witness.js'

/** Scripts larger than this are not read: what is in them is reported as not known. */
const MAX_BYTES = 256 * 1024
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the text of a regular, small, valid UTF-8 file, through symlinks; null otherwise. Never blocks on a pipe or
 * device.
 */
export function scriptText(path: string): string | null {
  if (path.includes('\0')) return null
  try {
    if (lookThrough(path) === undefined) return null
    const bytes = readUntrustedFile(path, MAX_BYTES, 'follow')
    return bytes === null || bytes.includes(0) ? null : DECODER.decode(bytes)
  } catch {
    return null
  }
}
