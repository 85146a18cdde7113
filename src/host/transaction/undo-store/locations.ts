import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../../../core/model/basics/path.js'
import { isErrno } from '../paths/entry.js'
import { type RawPath, raw } from '../paths/raw-path.js'

export interface StoreLocations {
  /** On the root's own mount, so that files move in and out by rename. */
  readonly storePath: string
  /**
   * Directory for the upper layers of overlays: outside every root, as overlayfs demands. Equal to the undo store if
   * possible.
   */
  readonly scratch: string
}

/** Name of the undo store if the mount of the root contains only the root. The scan skips it. */
const INNER_STORE = '.cordon-undo'

const OVERLAYFS_MAGIC = 0x794c7630

/** Renaming works within one mount only, and two mounts of one filesystem share their device number: compare mounts. */
function mountOf(directory: string): string | null {
  try {
    const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      return /mnt_id:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? null
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

/**
 * Creates a directory that only this user can write to. In a shared directory, an existing one of another user or a
 * symlink is refused.
 */
function ours(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const stats = lstatSync(directory)
    return stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & 0o022) === 0
  } catch {
    return false
  }
}

function innerStore(root: string): string {
  const storePath = join(root, INNER_STORE)
  mkdirSync(storePath, { recursive: true, mode: 0o700 })
  writeFileSync(join(storePath, '.gitignore'), '*\n')
  return storePath
}

/** An overlay cannot write to an overlay, which is what the root of most containers is. */
const canHoldUpper = (directory: string): boolean => ours(directory) && statfsSync(directory).type !== OVERLAYFS_MAGIC

/** Returns the store name for a user and a directory of records. */
export const storeName = (stateDirectory: string): string =>
  `cordon-undo-${process.geteuid?.() ?? 0}-${keyOf(stateDirectory)}`

function isReadOnly(root: string): boolean {
  try {
    accessSync(root, constants.W_OK)
    return false
  } catch (error) {
    return isErrno(error, 'EROFS')
  }
}

/** An overlay would hide what is mounted below its lower layer, and files do not move between mounts. */
function mountsBelow(root: string): readonly string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => unescaped(line.split(' ', 5)[4] ?? ''))
  return points.filter((point) => point !== root && point !== '' && isInside(point, root))
}

/** Blanks and backslashes of a mount point are written in octal. */
const unescaped = (point: string): string =>
  point.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

/** Returns the directories for transactions that do not depend on the roots. */
export const allLocationsFor = (stateDirectory: string): readonly string[] => [
  join(stateDirectory, 'undo-store'),
  ...['/var/tmp', '/tmp', '/dev/shm'].map((at) => join(at, storeName(stateDirectory))),
]

/** The most mount points that a message names. */
const MOST_NAMED = 3

/** Returns the locations of a root. Throws a sentence if no location is possible. */
export function locationsFor(root: string, roots: readonly string[], stateDirectory: string): StoreLocations {
  if (isReadOnly(root)) throw new Error('it is on a read-only file system')
  const below = mountsBelow(root)
  if (below.length > 0) {
    const more = below.length > MOST_NAMED ? ` and ${below.length - MOST_NAMED} more` : ''
    const named = below.slice(0, MOST_NAMED).join(', ')
    throw new Error(`other file systems are mounted below ${root} (${named}${more})`)
  }
  const own = storeName(stateDirectory)
  const outside = (directory: string): boolean => !roots.some((other) => isInside(directory, other))
  const candidates = allLocationsFor(stateDirectory)
  const mount = mountOf(root)
  const near = [...candidates, join(dirname(root), `.${own}`)].filter(outside)
  const storePath = near.find(
    (directory) => mount !== null && mountOf(existing(directory)) === mount && ours(directory),
  )
  const scratch = [...(storePath === undefined ? [] : [storePath]), ...candidates.filter(outside)].find(canHoldUpper)
  if (scratch === undefined) throw new Error('no directory outside the workspace is writable for its changes')
  // Resolved, so that a later symlink in the path is detected.
  return {
    storePath: storePath === undefined ? innerStore(root) : realpathSync(storePath),
    scratch: realpathSync(scratch),
  }
}

function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (mountOf(at) !== null || at === '/') return at
  }
}

/** Names a directory in the names of files. */
export const keyOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)

/** Returns Cordon's own directories below a root. Changes of commands there are ignored. */
export const ownPathsIn = (root: string, places: readonly string[]): readonly RawPath[] => [
  INNER_STORE,
  ...places.flatMap((place) => (place !== root && isInside(place, root) ? [raw(place.slice(root.length + 1))] : [])),
]
