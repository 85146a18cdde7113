import { lstat, readdir } from 'node:fs/promises'

/** Size of a directory on the disk. */
export interface Size {
  readonly bytes: number
  readonly files: number
}

const BLOCK = 512

/** Returns the disk usage of a tree, without following symlinks. Vanished and unreadable entries count as zero. */
export async function sizeOf(path: string, signal?: AbortSignal): Promise<Size> {
  let bytes = 0
  let files = 0
  const queue = [path]
  for (let next = queue.pop(); next !== undefined && signal?.aborted !== true; next = queue.pop()) {
    const stats = await lstat(next).catch(() => null)
    if (stats === null) continue
    bytes += stats.blocks * BLOCK
    files += 1
    if (!stats.isDirectory()) continue
    for (const name of await readdir(next).catch(() => [])) queue.push(`${next}/${name}`)
  }
  return { bytes, files }
}

/** `1.5 GB`. */
export function inWords(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
