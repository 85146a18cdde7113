const CERTAIN = { conditionalDepth: 0, failureDepth: 0, deadCodeDepth: 0, remoteDepth: 0, branch: 0 }

/** Tells whether the code being analysed is certain to run, and whether it runs on this machine. */
export class Certainty {
  #now: Readonly<typeof CERTAIN> = CERTAIN
  #branches = 0

  /** The number of unknown conditions that the current code depends on. */
  get conditionalDepth(): number {
    return this.#now.conditionalDepth
  }

  get deadCodeDepth(): number {
    return this.#now.deadCodeDepth
  }

  /** The number of the branch being analysed; 0 outside all branches. */
  get branch(): number {
    return this.#now.branch
  }

  get isUnsure(): boolean {
    const { conditionalDepth, deadCodeDepth, failureDepth } = this.#now
    return conditionalDepth > 0 || deadCodeDepth > 0 || failureDepth > 0
  }

  get isUnreachable(): boolean {
    return this.#now.deadCodeDepth > 0
  }

  /** True in code that runs on another machine: its paths are not local. */
  get isRemote(): boolean {
    return this.#now.remoteDepth > 0
  }

  /** Analyses code that may or may not run. */
  maybe(run: () => void): void {
    this.#during({ conditionalDepth: this.#now.conditionalDepth + 1 }, run)
  }

  /** Analyses one branch of an unknown condition. Each branch has a number of its own. */
  inBranch(run: () => void): void {
    this.#during({ conditionalDepth: this.#now.conditionalDepth + 1, branch: ++this.#branches }, run)
  }

  /** Analyses a command that does not run if its redirections fail. Nothing else depends on that. */
  unlessFailed(run: () => void): void {
    this.#during({ failureDepth: this.#now.failureDepth + 1 }, run)
  }

  /** Analyses code that bash would not reach. */
  unreachable(run: () => void): void {
    this.#during({ deadCodeDepth: this.#now.deadCodeDepth + 1 }, run)
  }

  /** Analyses code that runs on another machine. */
  remotely(run: () => void): void {
    this.#during({ remoteDepth: this.#now.remoteDepth + 1 }, run)
  }

  #during(change: Partial<typeof CERTAIN>, run: () => void): void {
    const outer = this.#now
    this.#now = { ...outer, ...change }
    try {
      run()
    } finally {
      this.#now = outer
    }
  }
}
