import type { Ending } from '../../core/model/ending.js'
import type { ResourceLimits } from '../../core/model/plan.js'
import { DiskMeter } from './disk-meter.js'
import { kernelFileIfAny } from './kernel-file.js'
import { descendantsOf } from './process-tree.js'
import type { TaskCgroup } from './task-cgroup.js'

/** A tree far from its limits is looked at seldom, one near them often. */
const NEAR_MS = 20
const FAR_MS = 100
const NEAR_SHARE = 0.1
const TICKS_PER_SECOND = 100

const inWords = (bytes: number): string =>
  bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${Math.ceil(bytes / 1024)} KiB`

const read = (path: string): string => kernelFileIfAny(path) ?? ''

const kibibytes = (text: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)

/** Memory that only this process makes necessary, counted twice where processes share it. Cheap. */
function roughMemory(pid: number): number {
  const status = read(`/proc/${pid}/status`)
  return 1024 * (kibibytes(status, 'RssAnon') + kibibytes(status, 'RssShmem'))
}

/** The same with shared pages divided among those that share them. Exact, and dear for a large process. */
function exactMemory(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  return 1024 * (kibibytes(rollup, 'Pss_Anon') + kibibytes(rollup, 'Pss_Shmem'))
}

/** CPU time used by a process and by those of its children that have ended. */
function cpuSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS_PER_SECOND
}

const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0)

/** Bubblewrap and the init are in a command's group, and no part of it. */
const OWN_TASKS = 2

/** A limit as people read it: `memory (512 MiB)`. */
export function limitInWords(limit: 'processes' | 'memory', { processes, memoryBytes }: ResourceLimits): string {
  return limit === 'processes' ? `processes (${processes})` : `memory (${inWords(memoryBytes ?? 0)})`
}

/**
 * Watches a whole tree, as rlimits cannot: they count per process. What a control group holds is only asked after. Tells once which
 * limit was passed.
 */
export class LimitWatch {
  readonly #root: number
  readonly #limits: ResourceLimits
  readonly #group: TaskCgroup | null
  readonly #onPassed: (limit: string) => void
  readonly #disk = new DiskMeter()
  #timer: NodeJS.Timeout | undefined

  constructor(root: number, limits: ResourceLimits, group: TaskCgroup | null, onPassed: (limit: string) => void) {
    this.#root = root
    this.#limits = limits
    this.#group = group
    this.#onPassed = onPassed
    const { memoryBytes, processes, cpuSeconds: seconds, diskBytes } = limits
    if ([memoryBytes, processes, seconds, diskBytes].some((limit) => limit !== null)) this.#again(NEAR_MS)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #again(delayMs: number): void {
    this.#timer = setTimeout(() => this.#look(), delayMs)
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
    const memory = tooMany || !this.#watchesMemory ? 0 : sum(tree, roughMemory)
    const written = this.#limits.diskBytes === null || tooMany ? 0 : this.#disk.measure([this.#root, ...tree])
    const passed = this.#passed(tree, memory, written)
    if (passed !== null) this.#onPassed(passed)
    else this.#again(this.#isNear(Math.max(tree.length, tasks ?? 0), memory, written) ? NEAR_MS : FAR_MS)
  }

  get #watchesMemory(): boolean {
    return this.#limits.memoryBytes !== null && !this.#group?.holds('memory')
  }

  /** Counting a fork bomb to its end would take as long as it grows. */
  #tree(): readonly number[] {
    return descendantsOf(this.#root, this.#limits.processes ?? undefined)
  }

  /** Walking a tree costs time in proportion to it, and a full group costs one look. */
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
    if (memoryBytes === null || memory <= memoryBytes || sum(tree, exactMemory) <= memoryBytes) return null
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

/** Endings that the kernel brings about on behalf of an rlimit, told as what they are. */
export function byRlimit(ending: Ending, { cpuSeconds: seconds, fileBytes }: ResourceLimits): Ending {
  if (ending.how !== 'killed' || ending.by !== 'itself') return ending
  if (ending.signal === 'SIGXCPU' && seconds !== null)
    return { ...ending, by: 'limit', limit: `CPU time (${seconds} s)` }
  if (ending.signal === 'SIGXFSZ' && fileBytes !== null)
    return { ...ending, by: 'limit', limit: `file size (${inWords(fileBytes)})` }
  return ending
}
