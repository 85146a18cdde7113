import { CordonError } from '../../../core/model/basics/errors.js'
import type { BubblewrapSandbox } from '../../../core/model/policy/plan.js'

/** Throws SANDBOX_UNAVAILABLE if a root has too many repositories to protect and the command has no transaction. */
export function requireReview(sandbox: BubblewrapSandbox): void {
  const crowded = sandbox.mounts.find(({ op }) => op === 'crowded')
  if (crowded === undefined) return
  throw new CordonError(
    'SANDBOX_UNAVAILABLE',
    `${crowded.at} has more git repositories, submodules or worktrees than Cordon can protect one by one. Commands may write there only in an overlay transaction, and this command has none. Nothing was run. Set \`transaction.mode = "always"\`, run the command in the foreground, or remove repositories that you do not need.`,
    { place: crowded.at },
  )
}
