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
import { isInside } from '../../core/model/path.js'
import { isErrno } from './entry.js'
import { type RawPath, raw } from './raw-path.js'

/** Where a root's transactions keep their things. */
export interface Place {
  /** On the root's own mount, so that files move in and out by rename. */
  readonly vault: string
  /** Where the overlay writes: outside of every root, which overlayfs demands. Equal to the vault when that can be. */
  readonly scratch: string
}

/** The vault's name when nothing but the root itself lies on the root's mount. The scan passes it over. */
const INNER_VAULT = '.cordon-vault'

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

/** A directory of our own and nobody else's; in a directory others can write to, a planted one or a link is refused. */
function ours(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const stats = lstatSync(directory)
    return stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & 0o022) === 0
  } catch {
    return false
  }
}

function innerVault(root: string): string {
  const vault = join(root, INNER_VAULT)
  mkdirSync(vault, { recursive: true, mode: 0o700 })
  writeFileSync(join(vault, '.gitignore'), '*\n')
  return vault
}

/** An overlay cannot write to an overlay, which is what the root of most containers is. */
const canHoldUpper = (directory: string): boolean => ours(directory) && statfsSync(directory).type !== OVERLAYFS_MAGIC

/** One for each user and each directory of records, wherever it has to lie. */
export const vaultName = (stateDirectory: string): string =>
  `cordon-vault-${process.geteuid?.() ?? 0}-${keyOf(stateDirectory)}`

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

/** Directories for transactions that do not depend on where the roots lie. */
export const placesFor = (stateDirectory: string): readonly string[] => [
  join(stateDirectory, 'vault'),
  ...['/var/tmp', '/tmp', '/dev/shm'].map((at) => join(at, vaultName(stateDirectory))),
]

/** The most mount points that a message names. */
const MOST_NAMED = 3

/** Throws a plain sentence when there is no place at all. */
export function placeFor(root: string, roots: readonly string[], stateDirectory: string): Place {
  if (isReadOnly(root)) throw new Error('it lies on a read-only file system')
  const below = mountsBelow(root)
  if (below.length > 0) {
    const more = below.length > MOST_NAMED ? ` and ${below.length - MOST_NAMED} more` : ''
    const named = below.slice(0, MOST_NAMED).join(', ')
    throw new Error(`other file systems are mounted below ${root} (${named}${more})`)
  }
  const own = vaultName(stateDirectory)
  const outside = (directory: string): boolean => !roots.some((other) => isInside(directory, other))
  const candidates = placesFor(stateDirectory)
  const mount = mountOf(root)
  const near = [...candidates, join(dirname(root), `.${own}`)].filter(outside)
  const vault = near.find((directory) => mount !== null && mountOf(existing(directory)) === mount && ours(directory))
  const scratch = [...(vault === undefined ? [] : [vault]), ...candidates.filter(outside)].find(canHoldUpper)
  if (scratch === undefined) throw new Error('there is no writable place outside of the workspace for its changes')
  // Without symlinks: writing to them is refused when the path leads elsewhere later.
  return { vault: vault === undefined ? innerVault(root) : realpathSync(vault), scratch: realpathSync(scratch) }
}

function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (mountOf(at) !== null || at === '/') return at
  }
}

/** Names a directory in the names of files. */
export const keyOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)

/** Cordon's own places below a root: no command's changes there are ever taken over. */
export const oursIn = (root: string, places: readonly string[]): readonly RawPath[] => [
  INNER_VAULT,
  ...places.flatMap((place) => (place !== root && isInside(place, root) ? [raw(place.slice(root.length + 1))] : [])),
]
