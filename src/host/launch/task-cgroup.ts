import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResourceLimits } from '../../core/model/plan.js'
import type { CgroupTree, Controller } from './cgroup-trees.js'
import { kernelFileIfAny } from './kernel-file.js'
import { maxTasks } from './rlimits.js'

const REMOVAL_TRIES = 50

interface Made {
  readonly path: string
  readonly tree: CgroupTree
}

/** A file of the kernel's, what to write to it, and whether the limit stands and falls with it. */
type Setting = readonly [file: string, value: string, required: boolean]

function settingsFor({ version, controllers }: CgroupTree, limits: ResourceLimits): readonly Setting[] {
  const tasks = maxTasks(limits)
  const bytes = limits.memoryBytes
  const pids: Setting[] = tasks === null ? [] : [['pids.max', `${tasks}`, true]]
  const memory: Record<1 | 2, Setting[]> = {
    1: [
      ['memory.limit_in_bytes', `${bytes}`, true],
      // What does not fit is not to be swapped out instead.
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
 * Control groups around one command, one in every hierarchy that can be had: a ceiling on tasks that holds even for root, to whom
 * RLIMIT_NPROC does not apply, and one on memory that no watcher has to be quick for.
 */
export class TaskCgroup {
  readonly #made: readonly Made[]
  readonly #limits: ResourceLimits
  /** Groups that hold nothing, because their limits could not be set. */
  readonly #unset = new Set<string>()

  private constructor(made: readonly Made[], limits: ResourceLimits) {
    this.#made = made
    this.#limits = limits
  }

  /** Null where there is nothing to limit or no group to be had: then rlimits and the watcher are all there is. */
  static create(trees: readonly CgroupTree[], limits: ResourceLimits): TaskCgroup | null {
    const name = `cordon-${process.pid}-${randomBytes(6).toString('hex')}`
    const wanted = trees.filter((tree) => settingsFor(tree, limits).length > 0)
    const made = wanted.flatMap((tree) => makeIn(tree, name))
    return made.length === 0 ? null : new TaskCgroup(made, limits)
  }

  /** Whether the kernel itself holds the command to this. */
  holds(controller: Controller): boolean {
    return this.#pathOf(controller) !== null
  }

  /** For a process that enters by itself before it becomes another: the files it writes a zero to. The limits hold from its entry on. */
  doors(): readonly string[] {
    this.#limit()
    return this.#made.map(({ path, tree }) => `${path}/${tree.version === 1 ? 'tasks' : 'cgroup.procs'}`)
  }

  /** How many tasks it has now, threads included; null where they are not counted. */
  get tasks(): number | null {
    const path = this.#pathOf('pids')
    const text = path === null ? '' : read(`${path}/pids.current`)
    return text === '' ? null : Number(text)
  }

  /** The limit at which the kernel has refused or killed something, if it has. */
  get passed(): 'processes' | 'memory' | null {
    const [pids, memory] = [this.#pathOf('pids'), this.#pathOf('memory')]
    if (memory !== null && this.#limits.memoryBytes !== null) {
      const counts = read(`${memory}/memory.oom_control`) || read(`${memory}/memory.events`)
      if (counted(counts, 'oom_kill') > 0) return 'memory'
    }
    return pids !== null && counted(read(`${pids}/pids.events`), 'max') > 0 ? 'processes' : null
  }

  /** The kernel takes a moment to forget the dead. */
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
