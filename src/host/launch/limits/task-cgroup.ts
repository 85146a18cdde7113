import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResourceLimits } from '../../../core/model/policy/plan.js'
import { kernelFileIfAny } from '../process/read-kernel-file.js'
import type { CgroupTree, Controller } from './cgroup-trees.js'
import { maxTasks } from './rlimits.js'

const REMOVAL_TRIES = 50

interface Made {
  readonly path: string
  readonly tree: CgroupTree
}

/** Kernel file, its new value, and if the limit depends on it. */
type Setting = readonly [file: string, value: string, required: boolean]

function settingsFor({ version, controllers }: CgroupTree, limits: ResourceLimits): readonly Setting[] {
  const tasks = maxTasks(limits)
  const bytes = limits.memoryBytes
  const pids: Setting[] = tasks === null ? [] : [['pids.max', `${tasks}`, true]]
  const memory: Record<1 | 2, Setting[]> = {
    1: [
      ['memory.limit_in_bytes', `${bytes}`, true],
      // Memory above the limit must not go to swap instead.
      ['memory.memsw.limit_in_bytes', `${bytes}`, false],
      ['memory.swappiness', '0', false],
    ],
    2: [
      ['memory.max', `${bytes}`, true],
      ['memory.swap.max', '0', false],
      ['memory.oom.group', '1', false],
    ],
  }
  return controllers.flatMap((one) => (one === 'pids' ? pids : bytes === null ? [] : memory[version]))
}

const read = (path: string): string => kernelFileIfAny(path) ?? ''

function write(path: string, value: string): boolean {
  try {
    writeFileSync(path, value)
    return true
  } catch {
    return false
  }
}

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path)
    return true
  } catch {
    return !existsSync(path)
  }
}

const counted = (text: string, word: string): number => Number(new RegExp(`^${word} (\\d+)`, 'm').exec(text)?.[1] ?? 0)

/**
 * Cgroups of one command, one in every available hierarchy. Their limit of tasks applies even to root, which
 * RLIMIT_NPROC does not. Their limit of memory needs no fast watcher.
 */
export class TaskCgroup {
  readonly #made: readonly Made[]
  readonly #limits: ResourceLimits
  /** Cgroups without effect, because their limits could not be set. */
  readonly #unset = new Set<string>()

  private constructor(made: readonly Made[], limits: ResourceLimits) {
    this.#made = made
    this.#limits = limits
  }

  /** Returns null if there is no limit or no cgroup. Then only rlimits and the watcher apply. */
  static create(trees: readonly CgroupTree[], limits: ResourceLimits): TaskCgroup | null {
    const name = `cordon-${process.pid}-${randomBytes(6).toString('hex')}`
    const wanted = trees.filter((tree) => settingsFor(tree, limits).length > 0)
    const made = wanted.flatMap((tree) => makeIn(tree, name))
    return made.length === 0 ? null : new TaskCgroup(made, limits)
  }

  /** Tells if the kernel enforces this limit on the command. */
  holds(controller: Controller): boolean {
    return this.#pathOf(controller) !== null
  }

  /** Sets the limits. Returns the files to which a process writes a zero in order to enter the cgroups. */
  cgroupJoinFiles(): readonly string[] {
    this.#limit()
    return this.#made.map(({ path, tree }) => `${path}/${tree.version === 1 ? 'tasks' : 'cgroup.procs'}`)
  }

  /** Number of tasks, threads included, or null if unknown. */
  get tasks(): number | null {
    const path = this.#pathOf('pids')
    const text = path === null ? '' : read(`${path}/pids.current`)
    return text === '' ? null : Number(text)
  }

  /** Limit at which the kernel refused or killed a process, or null. */
  get passed(): 'processes' | 'memory' | null {
    const [pids, memory] = [this.#pathOf('pids'), this.#pathOf('memory')]
    if (memory !== null && this.#limits.memoryBytes !== null) {
      const counts = read(`${memory}/memory.oom_control`) || read(`${memory}/memory.events`)
      if (counted(counts, 'oom_kill') > 0) return 'memory'
    }
    return pids !== null && counted(read(`${pids}/pids.events`), 'max') > 0 ? 'processes' : null
  }

  /** Removes the cgroups. The kernel needs a moment after the last process has ended. */
  async remove(): Promise<void> {
    for (const { path } of this.#made) {
      for (let tries = 0; tries < REMOVAL_TRIES && !removeIfEmpty(path); tries += 1) await sleep(tries)
    }
  }

  #pathOf(controller: Controller): string | null {
    const wanted = (one: Made): boolean => one.tree.controllers.includes(controller) && !this.#unset.has(one.path)
    return this.#made.find(wanted)?.path ?? null
  }

  #limit(): void {
    for (const { path, tree } of this.#made) {
      for (const [file, value, required] of settingsFor(tree, this.#limits)) {
        if (!write(`${path}/${file}`, value) && required) this.#unset.add(path)
      }
    }
  }
}

function makeIn(tree: CgroupTree, name: string): readonly Made[] {
  const path = `${tree.at}/${name}`
  try {
    mkdirSync(path)
    return [{ path, tree }]
  } catch {
    return []
  }
}
