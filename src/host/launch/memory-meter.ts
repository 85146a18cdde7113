import { statfsSync } from 'node:fs'
import { kernelFileIfAny } from './kernel-file.js'

const TMPFS = 0x01021994

const read = (path: string): string => kernelFileIfAny(path) ?? ''

const field = (text: string, name: string): number | null => {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
  return kibibytes === undefined ? null : 1024 * Number(kibibytes)
}

const bytes = (text: string, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (field(text, name) ?? 0), 0)

/** Memory that only this process makes necessary, counted twice where processes share it. Cheap. */
const rough = (pid: number): number => bytes(read(`/proc/${pid}/status`), 'RssAnon', 'RssShmem')

export const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0)

/** The most that can lie in memory and be mapped by nobody, on the whole machine. */
function unmappedAtMost(): number {
  const meminfo = read('/proc/meminfo')
  const shared = field(meminfo, 'Shmem')
  if (shared === null) return Number.POSITIVE_INFINITY
  return shared + bytes(meminfo, 'SwapTotal') - bytes(meminfo, 'SwapFree')
}

/**
 * How much memory a tree of processes takes, where nothing but looking can tell: what the processes have mapped, and the sandbox's own
 * file systems in memory. The latter are only looked at while the machine as a whole holds enough in memory for it to matter.
 */
export class MemoryMeter {
  readonly #fileSystems: readonly string[]

  /** `fileSystems`: places where only this tree writes, and which live in memory. */
  constructor(fileSystems: readonly string[]) {
    this.#fileSystems = fileSystems
  }

  /** Never less than there is, and cheap while that is far from the limit. */
  rough(tree: readonly number[], limit: number): number {
    const mapped = sum(tree, rough)
    if (mapped + unmappedAtMost() <= limit) return mapped
    return mapped + this.#filled()
  }

  /**
   * Divides shared pages among those that share them; dear for a large process. A file in memory that is mapped shows twice, as a file and
   * as shared pages: the greater of the two sums counts, so that it counts once.
   */
  exact(tree: readonly number[]): number {
    const rollups = tree.map((pid) => read(`/proc/${pid}/smaps_rollup`))
    const total = (name: string): number => rollups.reduce((all, rollup) => all + bytes(rollup, name), 0)
    return total('Pss_Anon') + Math.max(total('Pss_Shmem'), this.#filled())
  }

  /** Bytes that lie in the file systems, deleted files included. */
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
