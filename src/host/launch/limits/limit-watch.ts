import { contained } from '../../../core/model/basics/contained.js'
import type { ResourceLimits } from '../../../core/model/policy/plan.js'
import type { Ending } from '../../../core/model/run/ending.js'
import { descendantsOf } from '../process/process-tree.js'
import { kernelFileIfAny } from '../process/read-kernel-file.js'
import { DiskMeter } from './disk-meter.js'
import { MemoryMeter, sum } from './memory-meter.js'
import type { TaskCgroup } from './task-cgroup.js'

/** Shortest pause, for a tree near its limits. A tree far from them is measured less often. */
const NEAR_MS = 20
const FAR_MS = 100
const NEAR_SHARE = 0.1
const TICKS_PER_SECOND = 100

const inWords = (bytes: number): string =>
  bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${Math.ceil(bytes / 1024)} KiB`

const read = (path: string): string => kernelFileIfAny(path) ?? ''

/** Returns the CPU time of a process and its ended children. */
function cpuSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS_PER_SECOND
}

/** Tasks of bubblewrap and the init, which are in the command's cgroup but not part of the command. */
const OWN_TASKS = 2

/** Formats a limit for people: `memory (512 MiB)`. */
export function limitInWords(limit: 'processes' | 'memory', { processes, memoryBytes }: ResourceLimits): string {
  return limit === 'processes' ? `processes (${processes})` : `memory (${inWords(memoryBytes ?? 0)})`
}

export interface Watched {
  /** Pid of the sandbox's init. */
  readonly root: number
  readonly limits: ResourceLimits
  readonly group: TaskCgroup | null
  /** Paths inside the sandbox that live in memory and that only the command writes. */
  readonly inMemory: readonly string[]
  readonly onPassed: (limit: string) => void
}

/**
 * Watches a whole process tree, while rlimits apply to one process. If a cgroup limits it, only reads the cgroup.
 * Reports once which limit was passed.
 */
export class LimitWatch {
  readonly #root: number
  readonly #limits: ResourceLimits
  readonly #group: TaskCgroup | null
  readonly #onPassed: (limit: string) => void
  readonly #disk = new DiskMeter()
  readonly #memory: MemoryMeter
  #timer: NodeJS.Timeout | undefined

  constructor({ root, limits, group, inMemory, onPassed }: Watched) {
    this.#root = root
    this.#limits = limits
    this.#group = group
    this.#onPassed = onPassed
    this.#memory = new MemoryMeter(inMemory.map((place) => `/proc/${root}/root${place}`))
    const { memoryBytes, processes, cpuSeconds: seconds, diskBytes } = limits
    if ([memoryBytes, processes, seconds, diskBytes].some((limit) => limit !== null)) this.#again(NEAR_MS)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #again(delayMs: number): void {
    const look = contained(
      () => this.#look(),
      () => this.#again(NEAR_MS),
    )
    this.#timer = setTimeout(look, delayMs)
    this.#timer.unref()
  }

  #look(): void {
    const held = this.#group?.passed ?? null
    if (held !== null) {
      this.#onPassed(limitInWords(held, this.#limits))
      return
    }
    const tasks = this.#group?.tasks ?? null
    const tree = this.#isWalkNeeded(tasks) ? this.#tree() : []
    const tooMany = tree.length > (this.#limits.processes ?? Number.POSITIVE_INFINITY)
    const memory = tooMany || !this.#watchesMemory ? 0 : this.#memory.rough(tree, this.#limits.memoryBytes ?? 0)
    const written = this.#limits.diskBytes === null || tooMany ? 0 : this.#disk.measure([this.#root, ...tree])
    const passed = this.#passed(tree, memory, written)
    if (passed !== null) this.#onPassed(passed)
    else this.#again(this.#isNear(Math.max(tree.length, tasks ?? 0), memory, written) ? NEAR_MS : FAR_MS)
  }

  get #watchesMemory(): boolean {
    return this.#limits.memoryBytes !== null && !this.#group?.holds('memory')
  }

  /** Stops the walk early, because counting a whole fork bomb would take as long as the bomb grows. */
  #tree(): readonly number[] {
    return descendantsOf(this.#root, this.#limits.processes ?? undefined)
  }

  /** A walk takes time in proportion to the tree; reading a cgroup takes one read. */
  #isWalkNeeded(tasks: number | null): boolean {
    const { processes, cpuSeconds: seconds, diskBytes } = this.#limits
    if (seconds !== null || diskBytes !== null || this.#watchesMemory) return true
    return processes !== null && (tasks === null || tasks - OWN_TASKS > processes)
  }

  #passed(tree: readonly number[], memory: number, written: number): string | null {
    const { memoryBytes, processes, cpuSeconds: seconds, diskBytes } = this.#limits
    if (processes !== null && tree.length > processes) return limitInWords('processes', this.#limits)
    if (seconds !== null && sum(tree, cpuSeconds) > seconds) return `CPU time (${seconds} s)`
    if (diskBytes !== null && written > diskBytes) return `disk written (${inWords(diskBytes)})`
    if (memoryBytes === null || memory <= memoryBytes || this.#memory.exact(tree) <= memoryBytes) return null
    return limitInWords('memory', this.#limits)
  }

  #isNear(tasks: number, memory: number, written: number): boolean {
    const { memoryBytes, processes, diskBytes } = this.#limits
    return (
      written > NEAR_SHARE * (diskBytes ?? Number.POSITIVE_INFINITY) ||
      memory > NEAR_SHARE * (memoryBytes ?? memory / NEAR_SHARE) ||
      tasks > NEAR_SHARE * (processes ?? Number.POSITIVE_INFINITY)
    )
  }
}

/** Reports a signal that the kernel sent for an rlimit as that limit. */
export function byRlimit(ending: Ending, { cpuSeconds: seconds, fileBytes }: ResourceLimits): Ending {
  if (ending.how !== 'killed' || ending.by !== 'itself') return ending
  if (ending.signal === 'SIGXCPU' && seconds !== null)
    return { ...ending, by: 'limit', limit: `CPU time (${seconds} s)` }
  if (ending.signal === 'SIGXFSZ' && fileBytes !== null)
    return { ...ending, by: 'limit', limit: `file size (${inWords(fileBytes)})` }
  return ending
}
