import { deniedPrograms } from '../../core/decide/denials/masked-programs.js'
import { type Lifted, liftedBy } from '../../core/model/policy/decision.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import { type OpenedWrites, openedWrites } from '../../core/plan/lift-writes.js'
import type { Observer } from '../ports/ports.js'
import type { DecidedRequest } from './nouns.js'

/** The changes that an approval makes to the plan. */
interface AsApproved {
  readonly lifted: Lifted
  readonly opened: OpenedWrites
  readonly surroundings: HostContext
}

/** Returns the directory at the path, or the nearest one above it that exists; null where a symlink is on the way. */
function directoryFor(path: string, observer: Observer): string | null {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const found = observer.answer([{ ask: 'path', path: at }]).paths.get(at)
    if (found === undefined || found.real !== at) return null
    if (found.kind === 'directory' || at === '/') return at
  }
}

/**
 * Looks at the host as if the command were approved: directories of the paths that it may then write are roots like
 * those of the profile, and what is hidden or protected in a root is so in them.
 */
export function asApproved(
  { decision, profile, request, facts, surroundings }: DecidedRequest,
  observer: Observer,
): AsApproved {
  const lifted = liftedBy(decision)
  const deleted = new Set(facts.deletes.map(({ path }) => path))
  // An entry is removed from the directory above it.
  const directory = (path: string): string | null =>
    directoryFor(deleted.has(path) ? path.slice(0, path.lastIndexOf('/')) || '/' : path, observer)
  const opened = openedWrites(lifted.writes, surroundings, directory)
  if (opened.size === 0) return { lifted, opened, surroundings }
  const paths = { ...profile.paths, roots: [...profile.paths.roots, ...opened.keys()] }
  const around = observer.surroundings({ ...profile, paths }, deniedPrograms(profile), request.agent)
  return { lifted, opened, surroundings: around }
}
