import { closeSync, constants, fstatSync, openSync, readSync, statfsSync } from 'node:fs'
import { willRead } from './witness.js'

/**
 * File systems with files that the kernel generates: proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2, bpf,
 * configfs.
 */
const PSEUDO = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270, 0xcafe4a11, 0x62656570,
])
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Reads a file that a command may have written. Null unless it is a regular, readable file of at most `maxBytes`
 * outside /proc and /sys. Symlinks are followed only on request. Never blocks.
 */
export function readUntrustedFile(
  path: string | Buffer,
  maxBytes: number,
  symlinks: 'refuse' | 'follow' = 'refuse',
): Buffer | null {
  let descriptor: number
  willRead(path, symlinks)
  try {
    descriptor = openSync(path, symlinks === 'follow' ? FLAGS : FLAGS | constants.O_NOFOLLOW)
  } catch {
    return null
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxBytes || isPseudo(descriptor)) return null
    return readAll(descriptor, stats.size)
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

const isPseudo = (descriptor: number): boolean => PSEUDO.has(statfsSync(`/proc/self/fd/${descriptor}`).type)

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
