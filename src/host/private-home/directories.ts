import { createHash } from 'node:crypto'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseName, isInside } from '../../core/model/path.js'
import type { Profile } from '../../core/model/profile.js'
import { type PrivateDirectories, SHARED_HOME, type Surroundings } from '../../core/model/surroundings.js'

/** Nothing can be mounted over these, or is lost with every start of the machine. */
const NO_HOMES = ['/proc', '/dev', '/sys', '/run', '/var/run']
/** Each is a mount, and bubblewrap gets slower with every one. */
const MAX_SHARED = 24

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

function realEntry(path: string): string | null {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
    const stats = statSync(path)
    return stats.isDirectory() || stats.isFile() ? realpathSync.native(path) : null
  } catch {
    return null
  }
}

function pathOf(entry: string, { home, workspace }: Surroundings): string | null {
  if (entry !== '..') return `${home}${entry.slice(1)}`
  const above = dirname(workspace)
  return above !== home && isInside(above, home) ? above : null
}

/** Installers add programs to these, so commands see a directory of their own with a link to each program. */
const isBin = (entry: string): boolean => entry.endsWith('/bin')

function sharedEntries({ environment }: Profile, surroundings: Surroundings): [string, string][] {
  const sharesAll = environment.shared.includes('~')
  const isHidden = (path: string): boolean => surroundings.hidden.some(([hidden]) => isInside(path, hidden))
  const isRoot = (path: string): boolean => surroundings.roots.some((root) => isInside(path, root))
  const found = environment.shared
    .filter((entry) => entry !== '~' && !(sharesAll && isBin(entry)))
    .flatMap((entry): [string, string][] => {
      const path = pathOf(entry, surroundings)
      const from = path === null || isRoot(path) ? null : realEntry(path)
      if (path === null || from === null || isHidden(from)) return []
      return [[from, isBin(entry) ? `${SHARED_HOME}${path.slice(surroundings.home.length)}` : path]]
    })
  const outermost = found.filter(([, at]) => !found.some(([, other]) => other !== at && isInside(at, other)))
  return outermost.slice(0, MAX_SHARED)
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
