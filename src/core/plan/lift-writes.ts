import { isInside } from '../model/basics/path.js'
import type { Mount } from '../model/policy/plan.js'
import { type HostContext, SHARED_HOME } from '../model/run/surroundings.js'

/** Directories of the system. An approval of one command opens none of them. */
const SYSTEM = /^\/(?:(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var(?!\/(?:tmp|www)\/.)|tmp)(?:\/|$)|$)/
/** Characters that a root of a profile would read as a glob. */
const GLOB = /[*?[\](){}!|\\]/

/** Returns an approved path as the host names it; a shared home has another path in the sandbox. */
const onHost = (path: string, home: string): string =>
  isInside(path, SHARED_HOME) ? `${home}${path.slice(SHARED_HOME.length)}` : path

/** True if an approval may make the directory writable. Never for a guarded path or one inside it. */
function canBeOpened(directory: string, { home, hidden, protected: guarded }: HostContext): boolean {
  if (SYSTEM.test(directory) || GLOB.test(directory) || isInside(home, directory)) return false
  return ![...hidden.map(([place]) => place), ...guarded].some((place) => isInside(directory, place))
}

/** A directory to be made writable, and the paths in it that a person approved. */
export type OpenedWrites = ReadonlyMap<string, readonly string[]>

/**
 * Returns the directories that must be writable for the approved paths. `directoryFor` returns the nearest existing
 * directory; null if a symlink or another object is on the way.
 */
export function openedWrites(
  paths: readonly string[],
  surroundings: HostContext,
  directoryFor: (path: string) => string | null,
): OpenedWrites {
  const opened = new Map<string, string[]>()
  for (const path of paths.map((one) => onHost(one, surroundings.home))) {
    const directory = directoryFor(path)
    if (directory === null || !canBeOpened(directory, surroundings)) continue
    opened.set(directory, [...(opened.get(directory) ?? []), path])
  }
  return opened
}

/** Records the approved paths in the writable mounts that exist for them. */
export const limitWrites = (mounts: readonly Mount[], opened: OpenedWrites): readonly Mount[] =>
  opened.size === 0
    ? mounts
    : mounts.map((mount): Mount => {
        const only = mount.op === 'write' && mount.from === mount.at ? opened.get(mount.at) : undefined
        return only === undefined || mount.op !== 'write' ? mount : { ...mount, only }
      })
