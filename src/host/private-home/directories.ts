import { createHash } from 'node:crypto'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseName, isInside } from '../../core/model/basics/path.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { type HostContext, type PrivateDirectories, SHARED_HOME } from '../../core/model/run/surroundings.js'
import { isInstallDirectory } from './install-directories.js'
import { isBelow } from './mount-points.js'

/** Directories that no mount may cover, or that a reboot empties. */
const NO_HOMES = ['/proc', '/dev', '/sys', '/run', '/var/run']
/** Each is a mount, and bubblewrap gets slower with every one. */
const MAX_SHARED = 24
/** Limit of mounted entries if the whole home is shared; further ones are linked. */
const MAX_IN_PLACE = 6

const shortened = (text: string): string => text.replace(/[^\w.-]+/g, '-').slice(0, 32)
const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)

/** Returns the directory for one profile in one workspace, separate from all other profiles. */
export function homeRoot(state: string, workspace: string, profile: string): string {
  const name = `${shortened(baseName(workspace))}.${shortened(profile)}.${digest(workspace, profile)}`
  return join(state, 'homes', name)
}

export const homeIn = (root: string): string => join(root, 'home')
const tmpIn = (root: string, agent: string | null): string =>
  join(root, 'tmp', agent === null ? 'person' : `${shortened(agent)}.${digest(agent)}`)

/** Reports whether commands of the profile get a private home. If the home is a root, they work in the real one. */
function hasPrivateHome(profile: Profile, { home, roots }: HostContext): boolean {
  if (profile.environment.home !== 'private' || roots.some((root) => isInside(home, root))) return false
  if (home === '/' || NO_HOMES.some((place) => isInside(home, place))) return false
  return lstatSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Reads the entries of one home. It skips missing directories and resolves only symlinks. */
class Entries {
  readonly #real = new Map<string, string | null>()

  constructor(home: string) {
    this.#real.set(home, home)
  }

  /** Returns the real path of a file or directory, or null. */
  find(path: string): string | null {
    const known = this.#real.get(path)
    if (known !== undefined) return known
    const above = dirname(path)
    const found = above === path || this.find(above) === null ? null : this.#look(path, above)
    this.#real.set(path, found)
    return found
  }

  #look(path: string, above: string): string | null {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (stats?.isSymbolicLink()) {
        const kind = statSync(path)
        return kind.isDirectory() || kind.isFile() ? realpathSync.native(path) : null
      }
      return stats?.isDirectory() || stats?.isFile() ? join(this.find(above) ?? above, baseName(path)) : null
    } catch {
      return null
    }
  }
}

/** Returns the path relative to the home, or null if the entry is not in it. */
function entryPath(entry: string, { home, workspace }: HostContext): string | null {
  if (entry !== '..') return entry.slice(2)
  const above = dirname(workspace)
  return above !== home && isBelow(above, home) ? above.slice(home.length + 1) : null
}

/**
 * Returns the shared entries. If the profile allows no reads outside, only named entries are shared: neither the whole
 * home nor the parent of the workspace.
 */
const sharedBy = ({ environment, paths }: Profile): readonly string[] =>
  paths.readOutside === 'allow'
    ? environment.shared
    : environment.shared.filter((entry) => entry !== '~' && entry !== '..')

/**
 * Returns mounts and links of shared entries. Direct entries of the home are mounted at their own paths, so that a
 * toolchain has its real path. Deeper ones are mounted at another path and linked, because a command may rename their
 * parents.
 */
function sharedEntries(entriesShared: readonly string[], surroundings: HostContext): [string, string][] {
  const { home, hidden, roots } = surroundings
  const sharesAll = entriesShared.includes('~')
  const entries = new Entries(home)
  // Sorts the parent of the workspace first, because a file created next to the workspace belongs on the host.
  const shared = [...entriesShared].sort((a, b) => Number(b === '..') - Number(a === '..'))
  const found = shared.flatMap((entry): [string, string][] => {
    const path = entry === '~' ? null : entryPath(entry, surroundings)
    if (path === null) return []
    const isLinked = entry !== '..' && (path.includes('/') || isInstallDirectory(path))
    if (isLinked && sharesAll) return []
    const at = `${home}/${path}`
    const from = roots.some((root) => isBelow(at, root)) ? null : entries.find(at)
    if (from === null || hidden.some(([place]) => isBelow(from, place))) return []
    return [[from, isLinked ? `${SHARED_HOME}/${path}` : at]]
  })
  const outermost = found.filter(([, at]) => !found.some(([, other]) => other !== at && isBelow(at, other)))
  return outermost.slice(0, sharesAll ? MAX_IN_PLACE : MAX_SHARED)
}

/** Returns the private directories of a command and their content. Reads the real home and creates no files. */
export function privateDirectories(
  state: string,
  profile: Profile,
  surroundings: HostContext,
  agent: string | null,
): PrivateDirectories | null {
  if (profile.sandbox === 'off') return null
  const root = homeRoot(state, surroundings.workspace, profile.name)
  const isPrivate = hasPrivateHome(profile, surroundings)
  const entries = sharedBy(profile)
  return {
    tmp: tmpIn(root, agent),
    home: isPrivate ? homeIn(root) : null,
    shared: isPrivate ? sharedEntries(entries, surroundings) : [],
    sharesAll: isPrivate && entries.includes('~'),
  }
}
