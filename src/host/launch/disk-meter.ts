import { kernelFileIfAny } from './kernel-file.js'

/** Bytes a process, and those of its children that it has waited for, have sent to disks; what lies in memory alone does not count. */
function writtenBy(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(kernelFileIfAny(`/proc/${pid}/io`) ?? '')?.[1] ?? 0)
}

/**
 * Counts what a tree of processes has written to disks so far, unlinked files included. The kernel adds an ended process to the one that
 * waited for it, so the living tell of the dead; only children whose parent ignores their end are lost.
 */
export class DiskMeter {
  #most = 0

  /** `tree`: parents first, or a process that ends while the others are read would be counted twice. */
  measure(tree: readonly number[]): number {
    this.#most = Math.max(
      this.#most,
      tree.reduce((sum, pid) => sum + writtenBy(pid), 0),
    )
    return this.#most
  }
}
