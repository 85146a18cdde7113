import { close, openSync } from 'node:fs'

/**
 * Keeps the mounts of walls until their commands have been answered for. Taking them apart takes the kernel a while, and the last process to leave has to
 * wait for it; held from here, that is done later and by another thread.
 */
export class HeldNamespaces {
  readonly #closing = new Set<Promise<void>>()

  /** Of the wall with this init. Returns how to let go of it. */
  hold(init: number): () => void {
    try {
      const fd = openSync(`/proc/${init}/ns/mnt`, 'r')
      return () => this.#close(fd)
    } catch {
      // Gone by now, or not ours to look into: then it is taken apart at once.
      return () => undefined
    }
  }

  /** Settles when none is held any more that was let go of. */
  async released(): Promise<void> {
    await Promise.all(this.#closing)
  }

  #close(fd: number): void {
    const closed = new Promise<void>((resolve) => close(fd, () => resolve())).finally(() =>
      this.#closing.delete(closed),
    )
    this.#closing.add(closed)
  }
}
