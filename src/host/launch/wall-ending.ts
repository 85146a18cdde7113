import type { Ending } from '../../core/model/ending.js'
import { CordonError } from '../../core/model/errors.js'
import type { ResourceLimits } from '../../core/model/plan.js'
import { byRlimit, limitInWords } from './limit-watch.js'
import { endingOf } from './signal-names.js'
import type { TaskCgroup } from './task-cgroup.js'
import { whyNoWall } from './why-no-wall.js'

/** What is known of a wall that is gone and was not stopped. */
interface Gone {
  /** Of the command, where bubblewrap told it. */
  readonly exitCode: number | null
  /** A limit that the kernel enforced on its group. */
  readonly passed: TaskCgroup['passed']
  readonly limits: ResourceLimits
  /** Before it has, nothing of the command can have run. */
  readonly hasBegun: boolean
  /** On the error stream, by bubblewrap or the command. */
  readonly said: string
}

/** How the command in it ended. Throws a plain sentence where there was no wall to run it in. */
export function wallEnding({ exitCode, passed, limits, hasBegun, said }: Gone): Ending {
  if (passed === 'memory') {
    return { how: 'killed', signal: 'SIGKILL', by: 'limit', limit: limitInWords('memory', limits) }
  }
  if (exitCode !== null) return byRlimit(endingOf(exitCode), limits)
  // Without a complaint of bubblewrap's own, a sandbox that has begun was killed from outside.
  if (hasBegun && !/^bwrap: /m.test(said)) return { how: 'killed', signal: 'SIGKILL', by: 'itself' }
  const { cause, fix } = whyNoWall(said)
  throw new CordonError('SANDBOX_UNAVAILABLE', `Cordon cannot build the sandbox: ${cause}. ${fix}`)
}
