import { chmodSync, chownSync, lstatSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { AttributeDesk } from './attributes.js'
import { makeClock } from './clock.js'
import type { Footing } from './ground.js'
import type { Layer } from './overlay-mount.js'
import type { RootAttributes } from './root-attributes.js'

/** Where the layers of a transaction are. */
export const layersOf = (id: string, footings: readonly Footing[]): readonly Layer[] =>
  footings.map(({ root, vault, scratch }, index) => {
    const written = join(scratch, id, String(index))
    return { root, upper: join(written, 'upper'), work: join(written, 'work'), job: join(vault, id, String(index)) }
  })

/** In the directory of a layer. */
export const clockOf = (job: string): string => join(job, 'clock')

/** Makes them, looking like the directories they will stand for but for their attributes. */
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
  desk: AttributeDesk,
): Promise<void> {
  for (const [index, { upper }] of layers.entries()) {
    const own = attributes[index] ?? {}
    if (Object.keys(own).length === 0) continue
    const mode = lstatSync(upper).mode & 0o7777
    const isClosed = (mode & 0o600) !== 0o600
    if (isClosed) chmodSync(upper, mode | 0o600)
    await desk.write(Buffer.from(upper), own)
    if (isClosed) chmodSync(upper, mode)
  }
}

/** The mounted root looks like its upper layer: mode, owner and time are those of the real one. */
export function likeRoot(upper: string, root: string): void {
  const { mode, uid, gid, atime, mtime } = lstatSync(root)
  if (process.geteuid?.() === 0) chownSync(upper, uid, gid)
  utimesSync(upper, atime, mtime)
  chmodSync(upper, mode & 0o7777)
}
