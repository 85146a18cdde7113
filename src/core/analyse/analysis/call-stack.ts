import type { Node } from '../../shell/tree.js'
import type { Variable } from '../state/variable.js'
import type { Value } from '../values/value.js'

/** A running function, alias or script. */
export interface Call {
  readonly name: string
  readonly concurrency: number
  readonly waits?: number
  /** The number of unknown conditions around the call. */
  readonly conditionalDepth?: number
  readonly body?: Node
  readonly text?: Value
  /** The shell at the time of the call. Set for functions only. */
  readonly before?: { readonly cwd: string | null; readonly variables: ReadonlyMap<string, Variable> }
}

/** The stack of running functions, aliases and scripts. */
export class CallStack {
  readonly #running: Call[] = []
  #isRecovering = false

  /** Lists the calls, innermost last. */
  get running(): readonly Call[] {
    return this.#running
  }

  during(call: Call, run: () => void): void {
    this.#running.push(call)
    try {
      run()
    } finally {
      this.#running.pop()
    }
  }

  /** Runs the recovery from a syntax error. Does nothing during another recovery. */
  recover(run: () => void): void {
    if (this.#isRecovering) return
    this.#isRecovering = true
    try {
      run()
    } finally {
      this.#isRecovering = false
    }
  }
}
