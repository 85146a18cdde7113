import type { Ports } from './ports.js'
import type { Queue } from './queue.js'
import type { Tasks } from './tasks.js'

/** What every run of one engine shares. */
export interface RunContext {
  readonly ports: Ports
  readonly queue: Queue
  readonly tasks: Tasks
}
