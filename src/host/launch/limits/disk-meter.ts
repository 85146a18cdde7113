import { kernelFileIfAny } from '../process/read-kernel-file.js'

/** Returns the bytes that a process and its reaped children wrote to disks, without file systems in memory. */
function writtenBy(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(kernelFileIfAny(`/proc/${pid}/io`) ?? '')?.[1] ?? 0)
}

/**
 * Counts the bytes that a process tree wrote to disks, unlinked files included. The kernel adds an ended process's
 * count to its parent. Only children whose parent ignores SIGCHLD are lost.
 */
export class DiskMeter {
  #most = 0

  /** `tree` lists parents first. Otherwise a process that ends during the measurement would count twice. */
  measure(tree: readonly number[]): number {
    this.#most = Math.max(
      this.#most,
      tree.reduce((sum, pid) => sum + writtenBy(pid), 0),
    )
    return this.#most
  }
}
