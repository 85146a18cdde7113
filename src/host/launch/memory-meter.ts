import { statfsSync, statSync } from 'node:fs'
import { deviceOf, fileKey, HeldFiles, namesIn } from './held-files.js'
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

/** The same with shared pages divided among those that share them. Exact, and dear for a large process. */
const exact = (pid: number): number => bytes(read(`/proc/${pid}/smaps_rollup`), 'Pss_Anon', 'Pss_Shmem')

export const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0)

/** The most that can lie in memory and be mapped by nobody, on the whole machine. */
function unmappedAtMost(): number {
  const meminfo = read('/proc/meminfo')
  const shared = field(meminfo, 'Shmem')
  if (shared === null) return Number.POSITIVE_INFINITY
  return shared + bytes(meminfo, 'SwapTotal') - bytes(meminfo, 'SwapFree')
}

const MAPPING = /^[0-9a-f]+-[0-9a-f]+ \S+ [0-9a-f]+ (\S+) (\d+)/

/** How much of some files or file systems a process has mapped, shared pages divided among those that share them. */
function mappedOf(pid: number, keys: ReadonlyMap<string, number>, add: (key: string, bytes: number) => void): void {
  for (const mapping of read(`/proc/${pid}/smaps`).split(/^(?=[0-9a-f]+-)/m)) {
    const [, device = '', inode = ''] = MAPPING.exec(mapping) ?? []
    const key = [fileKey(device, Number(inode)), device].find((one) => keys.has(one))
    // What a private mapping has changed is the process's own.
    if (key !== undefined) add(key, Math.max(0, bytes(mapping, 'Pss') - bytes(mapping, 'Anonymous')))
  }
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
    const files = [...this.#filled().values()].reduce((total, one) => total + one, 0)
    return mapped + files + this.#held.look(tree)
  }

  /** What is mapped, and of the files what nobody has mapped. */
  exact(tree: readonly number[]): number {
    const files = new Map([...this.#filled(), ...this.#held.now()])
    const seen = new Map<string, number>()
    const add = (key: string, more: number): void => void seen.set(key, (seen.get(key) ?? 0) + more)
    let all = 0
    for (const pid of tree.map(shownBy)) {
      // Together, and in this order: one that ends in between must not count as one that has nothing mapped.
      if (files.size > 0) mappedOf(pid, files, add)
      all += exact(pid)
    }
    for (const [key, size] of files) all += Math.max(0, size - (seen.get(key) ?? 0))
    return all
  }

  /** By device, what lies in the file systems, deleted files included. */
  #filled(): ReadonlyMap<string, number> {
    const filled = new Map<string, number>()
    for (const place of this.#fileSystems) {
      try {
        const { type, bsize, blocks, bfree } = statfsSync(place)
        if (type === TMPFS && blocks > bfree) filled.set(deviceOf(statSync(place).dev), (blocks - bfree) * bsize)
      } catch {
        // The wall is gone.
      }
    }
    return filled
  }
}
