import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { AttributeClient } from '../attributes/attributes.js'
import type { RootAttributes } from '../attributes/root-attributes.js'
import { makeClock } from '../paths/filesystem-clock.js'
import type { RootPaths } from '../undo-store/open-roots.js'
import type { Layer } from './mount-layers.js'

export const layersOf = (id: string, rootPaths: readonly RootPaths[]): readonly Layer[] =>
  rootPaths.map(({ root, storePath, scratch }, index) => {
    const written = join(scratch, id, String(index))
    return { root, upper: join(written, 'upper'), work: join(written, 'work'), job: join(storePath, id, String(index)) }
  })

/** In the directory of a layer. */
export const clockOf = (job: string): string => join(job, 'clock')

/** Creates the layers with the mode, owner and times of their directories, but not their attributes. */
export function layOut(layers: readonly Layer[]): void {
  for (const { upper, work, job, root } of layers) {
    for (const path of [join(job, 'staged'), join(job, 'before'), upper, work]) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    }
    makeClock(clockOf(job))
    likeRoot(upper, root)
  }
}

export async function giveAttributes(
  layers: readonly Layer[],
  attributes: RootAttributes,
  attributeClient: AttributeClient,
): Promise<void> {
  for (const [index, { upper }] of layers.entries()) {
    const own = attributes[index] ?? {}
    if (Object.keys(own).length === 0) continue
    const mode = lstatSync(upper).mode & 0o7777
    const isClosed = (mode & 0o600) !== 0o600
    if (isClosed) chmodSync(upper, mode | 0o600)
    await attributeClient.write(Buffer.from(upper), own)
    if (isClosed) chmodSync(upper, mode)
  }
}

/** The mounted root looks like its upper layer: mode, owner and time are those of the real one. */
export function likeRoot(upper: string, root: string): void {
  const { mode, uid, gid, atime, mtime } = lstatSync(root)
  if (process.geteuid?.() === 0) chownSync(upper, uid, gid)
  utimesSync(upper, atime, mtime)
  chmodSync(upper, isAnothers(uid) ? ownersMode(mode, rightsIn(root)) : mode & 0o7777)
}

/**
 * Reports whether this process cannot change the mode and times of a directory. The layer of such a root has another
 * owner.
 */
export const isAnothers = (uid: number): boolean => process.geteuid?.() !== 0 && uid !== process.geteuid?.()

/** Returns the mode of a layer for a directory of another user: the owner gets the rights that the user has there. */
export const ownersMode = (mode: number, rights: number): number => (mode & 0o7077) | (rights << 6)

/** Returns the rights of this process in a directory as three bits: read, write, enter. */
function rightsIn(directory: string): number {
  const { R_OK, W_OK, X_OK } = constants
  return [R_OK, W_OK, X_OK].reduce((rights, right) => (may(directory, right) ? rights | right : rights), 0)
}

function may(directory: string, right: number): boolean {
  try {
    accessSync(directory, right)
    return true
  } catch {
    return false
  }
}
