import { statfsSync } from 'node:fs'
import { HeldFiles, namesIn } from './held-files.js'
import { kernelFileIfAny } from './kernel-file.js'

const TMPFS = 0x01021994

const read = (path: string): string => kernelFileIfAny(path) ?? ''

const field = (text: string, name: string): number | null => {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
  return kibibytes === undefined ? null : 1024 * Number(kibibytes)
}

const bytes = (text: string, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (field(text, name) ?? 0), 0)

/** A process by the number of one of its threads that lives: the first may have ended before the others, and then nothing is told of it. */
function shownBy(pid: number): number {
  const threads = /^Threads:\s+(\d+)/m
  const status = read(`/proc/${pid}/status`)
  if (field(status, 'RssAnon') !== null || Number(threads.exec(status)?.[1] ?? 0) < 2) return pid
  const living = namesIn(`/proc/${pid}/task`).find(
    (thread) => field(read(`/proc/${thread}/status`), 'RssAnon') !== null,
  )
  return living === undefined ? pid : Number(living)
}

/** Memory that only this process makes necessary, counted twice where processes share it. Cheap. */
function rough(pid: number): number {
  const status = read(`/proc/${pid}/status`)
  if (field(status, 'RssAnon') !== null) return bytes(status, 'RssAnon', 'RssShmem')
  const tid = shownBy(pid)
  return tid === pid ? 0 : bytes(read(`/proc/${tid}/status`), 'RssAnon', 'RssShmem')
}

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
 * How much memory a tree of processes takes, where nothing but looking can tell. Besides what the processes have mapped there are files
 * in memory: those of the wall's own file systems, and those without a name, which live as long as somebody has them open. They are only
 * looked for while the machine as a whole holds enough of such for it to matter.
 */
export class MemoryMeter {
  readonly #fileSystems: readonly string[]
  readonly #held = new HeldFiles()

  /** `fileSystems`: places where only this tree writes, and which live in memory. */
  constructor(fileSystems: readonly string[]) {
    this.#fileSystems = fileSystems
  }

  /** Something is yet to be looked at. */
  get isBehind(): boolean {
    return this.#held.isBehind
  }

  /** Never less than there is, and cheap while that is far from the limit. */
  rough(tree: readonly number[], limit: number): number {
    const mapped = sum(tree, rough)
    if (mapped + unmappedAtMost() <= limit) return mapped
    return mapped + this.#filled() + this.#held.look(tree)
  }

  /**
   * Divides shared pages among those that share them; dear for a large process. A file in memory that is mapped shows twice, as a file and
   * as shared pages: the greater of the two sums counts, so that it counts once.
   */
  exact(tree: readonly number[]): number {
    const rollups = tree.map((pid) => read(`/proc/${shownBy(pid)}/smaps_rollup`))
    const total = (name: string): number => rollups.reduce((all, rollup) => all + bytes(rollup, name), 0)
    return total('Pss_Anon') + Math.max(total('Pss_Shmem'), this.#filled() + this.#held.bytes)
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
