import { CordonError } from '../../../core/model/basics/errors.js'
import type { ResourceLimits } from '../../../core/model/policy/plan.js'
import type { Ending } from '../../../core/model/run/ending.js'
import { byRlimit, limitInWords } from '../limits/limit-watch.js'
import type { TaskCgroup } from '../limits/task-cgroup.js'
import { endingOf } from '../process/exit-status.js'
import { whyNoSandbox } from '../sandbox/why-no-sandbox.js'

/** Facts about a sandbox that ended without being stopped. */
interface EndedSandbox {
  /** Exit code of the command, if bubblewrap reported it. */
  readonly exitCode: number | null
  /** Limit that the kernel enforced on its cgroup. */
  readonly passed: TaskCgroup['passed']
  readonly limits: ResourceLimits
  /** False as long as no part of the command can have run. */
  readonly hasBegun: boolean
  /** Error output of bubblewrap or the command. */
  readonly errorOutput: string
}

/** Returns how the command ended. Throws SANDBOX_UNAVAILABLE if there was no sandbox to run it in. */
export function sandboxEnding({ exitCode, passed, limits, hasBegun, errorOutput }: EndedSandbox): Ending {
  if (passed === 'memory') {
    return { how: 'killed', signal: 'SIGKILL', by: 'limit', limit: limitInWords('memory', limits) }
  }
  if (exitCode !== null) return byRlimit(endingOf(exitCode), limits)
  // A started sandbox without an error of bubblewrap's own was killed from outside.
  if (hasBegun && !/^bwrap: /m.test(errorOutput)) return { how: 'killed', signal: 'SIGKILL', by: 'itself' }
  const { cause, fix } = whyNoSandbox(errorOutput)
  throw new CordonError('SANDBOX_UNAVAILABLE', `Cordon cannot build the sandbox: ${cause}. ${fix}`)
}
