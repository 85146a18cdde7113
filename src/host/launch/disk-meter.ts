import { readFileSync } from 'node:fs'

/** Bytes a process and those of its children that it has waited for have sent to disks; what lies in memory alone does not count. */
function writtenBy(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * What a tree of processes has written to disks so far, unlinked files included. The kernel adds an ended process to the one that
 * waited for it, so the living tell of the dead; where a parent ignores its children's ends, their part is gone from the sum, and the
 * sum has fallen for good.
 */
export class DiskMeter {
  /** The sum before last and the last one, what was already known to be lost not included. */
  #before = 0
  #last = 0
  #lost = 0

  /** `tree`: parents first, or a process that ends while the others are read would be counted twice. */
  measure(tree: readonly number[]): number {
    const sum = tree.reduce((total, pid) => total + writtenBy(pid), 0)
    // One lower sum alone can be a process that ended between the reading of its parent and of itself.
    const fallen = this.#before - Math.max(this.#last, sum)
    if (fallen > 0) this.#lost += fallen
    this.#before = fallen > 0 ? Math.max(this.#last, sum) : this.#last
    this.#last = sum
    return this.#lost + Math.max(this.#before, sum)
  }
}
