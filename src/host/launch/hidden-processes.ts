import { statSync } from 'node:fs'

/** Long enough for programs that happen to be unreadable, all of them together; short enough that little is done meanwhile. */
const PATIENCE_MS = 1_000
/** The most that one look stands for: an engine that is held up does not know what was there meanwhile. */
const LOOK_MS = 100

/**
 * Whether a process can be looked at by us. The kernel gives the files of one that was started from an unreadable program to root, so that nobody else
 * reads in them what is in the program; and with that, what it writes and holds open.
 */
function isHidden(pid: number, user: number): boolean {
  try {
    return statSync(`/proc/${pid}/fd`).uid !== user
  } catch {
    return false
  }
}

/** Counts for how long a tree has had somebody in it who cannot be looked at. Root looks at everybody. */
export class HiddenProcesses {
  readonly #user = process.geteuid?.() ?? 0
  #last = performance.now()
  #hiddenMs = 0

  /** Says whether that is longer than an honest command comes to. */
  areTooMany(tree: readonly number[]): boolean {
    if (this.#user === 0) return false
    const now = performance.now()
    if (tree.some((pid) => isHidden(pid, this.#user))) this.#hiddenMs += Math.min(now - this.#last, LOOK_MS)
    this.#last = now
    return this.#hiddenMs > PATIENCE_MS
  }
}
