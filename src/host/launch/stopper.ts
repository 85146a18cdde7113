import type { Ending } from '../../core/model/ending.js'
import type { Plan } from '../../core/model/plan.js'

/** What can be stopped: first asked, then made to. */
export interface Victim {
  /** SIGTERM to every process of the tree. */
  ask(): void
  /** SIGKILL to every process of the tree, at whatever stage of starting it is. */
  force(): void
}

export type Cause = { readonly by: 'timeout' | 'caller' } | { readonly by: 'limit'; readonly limit: string }

/** Longer delays make Node's timers fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Ends a running command when its time is up, its caller gives up or a limit is passed: SIGTERM, grace, SIGKILL. */
export class Stopper {
  readonly #victim: Victim
  readonly #graceMs: number
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.stop({ by: 'caller' })
  #timeout: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  #cause: Cause | null = null
  #forced = false

  constructor(victim: Victim, plan: Plan, signal: AbortSignal) {
    this.#victim = victim
    this.#graceMs = plan.graceMs
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
    if (plan.timeoutMs !== null) {
      this.#timeout = setTimeout(() => this.stop({ by: 'timeout' }), Math.min(plan.timeoutMs, MAX_DELAY_MS))
    }
  }

  /** The first cause counts. */
  stop(cause: Cause): void {
    if (this.#cause !== null) return
    this.#cause = cause
    // What passed a limit is not asked: it would go on passing it.
    if (cause.by === 'limit' || this.#graceMs === 0) {
      this.force()
      return
    }
    this.#victim.ask()
    this.#grace = setTimeout(() => this.force(), this.#graceMs)
  }

  force(): void {
    this.#cause ??= { by: 'caller' }
    this.#forced = true
    this.#victim.force()
  }

  /** No more stopping: it is over. */
  dispose(): void {
    clearTimeout(this.#timeout)
    clearTimeout(this.#grace)
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /** The ending we brought about, or null when the command ended of itself. */
  get ending(): Ending | null {
    if (this.#cause === null) return null
    return { how: 'killed', signal: this.#forced ? 'SIGKILL' : 'SIGTERM', ...this.#cause }
  }
}
