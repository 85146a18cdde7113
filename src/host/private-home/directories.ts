import { createHash } from 'node:crypto'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseName, isInside } from '../../core/model/path.js'
import type { Profile } from '../../core/model/profile.js'
import { type PrivateDirectories, SHARED_HOME, type Surroundings } from '../../core/model/surroundings.js'
import { isBelow } from './mount-points.js'

/** Nothing can be mounted over these, or is lost with every start of the machine. */
const NO_HOMES = ['/proc', '/dev', '/sys', '/run', '/var/run']
/** Each is a mount, and bubblewrap gets slower with every one. */
const MAX_SHARED = 24
/** Where all of the home is shared, further ones are linked. */
const MAX_IN_PLACE = 6

const shortened = (text: string): string => text.replace(/[^\w.-]+/g, '-').slice(0, 32)
const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)

/** Returns the directory for commands of one profile in one workspace: no other profile may find what these have left. */
export function homeRoot(state: string, workspace: string, profile: string): string {
  const name = `${shortened(baseName(workspace))}.${shortened(profile)}.${digest(workspace, profile)}`
  return join(state, 'homes', name)
}

export const homeIn = (root: string): string => join(root, 'home')
const tmpIn = (root: string, agent: string | null): string =>
  join(root, 'tmp', agent === null ? 'person' : `${shortened(agent)}.${digest(agent)}`)

/** Whether commands of the profile get a home of their own. Where the home itself is a root, they work in the real one. */
function hasPrivateHome(profile: Profile, { home, roots }: Surroundings): boolean {
  if (profile.environment.home !== 'private' || roots.some((root) => isInside(home, root))) return false
  if (home === '/' || NO_HOMES.some((place) => isInside(home, place))) return false
  return lstatSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Looks at the entries of one home: directories that are missing are not looked into, and only symlinks are resolved. */
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
function entryPath(entry: string, { home, workspace }: Surroundings): string | null {
  if (entry !== '..') return entry.slice(2)
  const above = dirname(workspace)
  return above !== home && isBelow(above, home) ? above.slice(home.length + 1) : null
}

/**
 * Entries of the home itself are mounted at their own paths, so that the real path of a toolchain is the same as outside. Those further
 * down are mounted elsewhere and linked: a command may rename the directories above them.
 */
function sharedEntries({ environment }: Profile, surroundings: Surroundings): [string, string][] {
  const { home, hidden, roots } = surroundings
  const sharesAll = environment.shared.includes('~')
  const entries = new Entries(home)
  // The directory around the workspace first: a command that makes a file beside it means the real one.
  const shared = [...environment.shared].sort((a, b) => Number(b === '..') - Number(a === '..'))
  const found = shared.flatMap((entry): [string, string][] => {
    const path = entry === '~' ? null : entryPath(entry, surroundings)
    if (path === null) return []
    const isLinked = entry !== '..' && path.includes('/')
    if (isLinked && sharesAll) return []
    const at = `${home}/${path}`
    const from = roots.some((root) => isBelow(at, root)) ? null : entries.find(at)
    if (from === null || hidden.some(([place]) => isBelow(from, place))) return []
    return [[from, isLinked ? `${SHARED_HOME}/${path}` : at]]
  })
  const outermost = found.filter(([, at]) => !found.some(([, other]) => other !== at && isBelow(at, other)))
  return outermost.slice(0, sharesAll ? MAX_IN_PLACE : MAX_SHARED)
}

/** Returns where the private directories of a command are and what they show. Reads the real home, and makes nothing. */
export function privateDirectories(
  state: string,
  profile: Profile,
  surroundings: Surroundings,
  agent: string | null,
): PrivateDirectories | null {
  if (profile.sandbox === 'off') return null
  const root = homeRoot(state, surroundings.workspace, profile.name)
  const isPrivate = hasPrivateHome(profile, surroundings)
  return {
    tmp: tmpIn(root, agent),
    home: isPrivate ? homeIn(root) : null,
    shared: isPrivate ? sharedEntries(profile, surroundings) : [],
    sharesAll: isPrivate && profile.environment.shared.includes('~'),
  }
}
