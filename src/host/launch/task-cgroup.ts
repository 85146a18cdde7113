import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Version 2 has every controller in one tree, version 1 a tree for each. */
const TREES: readonly string[] = ['/sys/fs/cgroup', '/sys/fs/cgroup/pids']
const NAME = /^cordon-(\d+)-\d+$/
const REMOVAL_TRIES = 50

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path)
    return true
  } catch {
    return !existsSync(path)
  }
}

/** Groups of engines that were killed before they could remove them. */
function removeAbandoned(tree: string): void {
  for (const name of readdirSync(tree)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeIfEmpty(`${tree}/${name}`)
  }
}

/**
 * A ceiling on the number of tasks that holds for root, to whom RLIMIT_NPROC does not apply. Null for others, whom it does, and
 * where this host lets us make no group.
 */
export class TaskCgroup {
  static #tree: string | null | undefined
  static #count = 0
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  static create(maxTasks: number): TaskCgroup | null {
    if (process.getuid?.() !== 0) return null
    TaskCgroup.#count += 1
    const name = `cordon-${process.pid}-${TaskCgroup.#count}`
    TaskCgroup.#tree ??= TREES.find((tree) => existsSync(tree) && TaskCgroup.#make(`${tree}/${name}`, maxTasks)) ?? null
    const tree = TaskCgroup.#tree
    if (tree === null) return null
    if (TaskCgroup.#count === 1) removeAbandoned(tree)
    else if (!TaskCgroup.#make(`${tree}/${name}`, maxTasks)) return null
    return new TaskCgroup(`${tree}/${name}`)
  }

  static #make(path: string, maxTasks: number): boolean {
    try {
      mkdirSync(path, { recursive: true })
      if (!existsSync(`${path}/pids.max`)) return removeIfEmpty(path) && false
      writeFileSync(`${path}/pids.max`, `${maxTasks}`)
      return true
    } catch {
      return false
    }
  }

  /** Everything these start from now on is counted. */
  add(...pids: readonly number[]): void {
    for (const pid of pids) {
      try {
        writeFileSync(`${this.#path}/cgroup.procs`, `${pid}`)
      } catch {
        // It ended meanwhile.
      }
    }
  }

  /** The kernel takes a moment to forget the dead. */
  async remove(): Promise<void> {
    for (let tries = 0; tries < REMOVAL_TRIES && !removeIfEmpty(this.#path); tries += 1) await sleep(tries)
  }
}
