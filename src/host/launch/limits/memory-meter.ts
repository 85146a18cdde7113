import { statfsSync } from 'node:fs'
import { kernelFileIfAny } from '../process/read-kernel-file.js'

const TMPFS = 0x01021994

const read = (path: string): string => kernelFileIfAny(path) ?? ''

const field = (text: string, name: string): number | null => {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
  return kibibytes === undefined ? null : 1024 * Number(kibibytes)
}

const bytes = (text: string, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (field(text, name) ?? 0), 0)

/** Returns the memory that only this process needs. Shared pages count for each process. Cheap. */
const rough = (pid: number): number => bytes(read(`/proc/${pid}/status`), 'RssAnon', 'RssShmem')

export const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0)

/** Returns the most memory that no process maps, on the whole machine. */
function unmappedAtMost(): number {
  const meminfo = read('/proc/meminfo')
  const shared = field(meminfo, 'Shmem')
  if (shared === null) return Number.POSITIVE_INFINITY
  return shared + bytes(meminfo, 'SwapTotal') - bytes(meminfo, 'SwapFree')
}

/**
 * Measures the memory of a process tree without a cgroup: mapped memory, and the sandbox's file systems in memory.
 * Reads those only if the whole machine has enough unmapped memory to matter.
 */
export class MemoryMeter {
  readonly #fileSystems: readonly string[]

  /** `fileSystems` lists paths in memory that only this tree writes. */
  constructor(fileSystems: readonly string[]) {
    this.#fileSystems = fileSystems
  }

  /** Returns an upper bound, cheaply while it is far from the limit. */
  rough(tree: readonly number[], limit: number): number {
    const mapped = sum(tree, rough)
    if (mapped + unmappedAtMost() <= limit) return mapped
    return mapped + this.#filled()
  }

  /**
   * Divides shared pages by their number of users, which is slow for a large process. A mapped file in memory counts as
   * a file and as shared pages. So the greater of the two sums counts.
   */
  exact(tree: readonly number[]): number {
    const rollups = tree.map((pid) => read(`/proc/${pid}/smaps_rollup`))
    const total = (name: string): number => rollups.reduce((all, rollup) => all + bytes(rollup, name), 0)
    return total('Pss_Anon') + Math.max(total('Pss_Shmem'), this.#filled())
  }

  /** Returns the bytes in the file systems, deleted files included. */
  #filled(): number {
    let filled = 0
    for (const place of this.#fileSystems) {
      try {
        const { type, bsize, blocks, bfree } = statfsSync(place)
        if (type === TMPFS) filled += (blocks - bfree) * bsize
      } catch {
        // The sandbox is gone.
      }
    }
    return filled
  }
}
