import { contained } from '../../../core/model/basics/contained.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { Ending } from '../../../core/model/run/ending.js'

/** Process tree that a stopper asks to end, then kills. */
export interface KillTarget {
  ask(): void
  /** Sends SIGKILL to every process of the tree, at any stage of its start. */
  force(): void
}

export type Cause = { readonly by: 'timeout' | 'caller' } | { readonly by: 'limit'; readonly limit: string }

/** Longest delay of a timer. Node fires longer ones at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Ends a running command at its timeout, when its caller gives up, or at a limit: SIGTERM, grace, SIGKILL. */
export class Stopper {
  readonly #target: KillTarget
  readonly #graceMs: number
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.stop({ by: 'caller' })
  #timeout: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  #cause: Cause | null = null
  #forced = false

  constructor(target: KillTarget, plan: Plan, signal: AbortSignal) {
    this.#target = target
    this.#graceMs = plan.graceMs
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
    if (plan.timeoutMs !== null) {
      const stop = contained(
        () => this.stop({ by: 'timeout' }),
        () => this.force(),
      )
      this.#timeout = setTimeout(stop, Math.min(plan.timeoutMs, MAX_DELAY_MS))
    }
  }

  /** Stops the command. Only the first cause counts. */
  stop(cause: Cause): void {
    if (this.#cause !== null) return
    this.#cause = cause
    // A command over a limit gets no grace, because it would go on exceeding the limit.
    if (cause.by === 'limit' || this.#graceMs === 0) {
      this.force()
      return
    }
    this.#target.ask()
    this.#grace = setTimeout(() => this.force(), this.#graceMs)
  }

  force(): void {
    this.#cause ??= { by: 'caller' }
    this.#forced = true
    this.#target.force()
  }

  /** Ends all stopping after the command has ended. */
  dispose(): void {
    clearTimeout(this.#timeout)
    clearTimeout(this.#grace)
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /** Ending that this stopper caused, or null if the command ended by itself. */
  get ending(): Ending | null {
    if (this.#cause === null) return null
    return { how: 'killed', signal: this.#forced ? 'SIGKILL' : 'SIGTERM', ...this.#cause }
  }
}
