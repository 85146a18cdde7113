import { chmodSync, chownSync, lstatSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { AttributeDesk, Attributes } from './attributes.js'
import type { Footing } from './ground.js'
import type { Layer } from './overlay-mount.js'

/** Where the layers of a transaction are. */
export const layersOf = (id: string, footings: readonly Footing[]): readonly Layer[] =>
  footings.map(({ root, vault, scratch }, index) => {
    const written = join(scratch, id, String(index))
    return { root, upper: join(written, 'upper'), work: join(written, 'work'), job: join(vault, id, String(index)) }
  })

/** Makes them, looking like the directories they will stand for. */
export async function layOut(layers: readonly Layer[], desk: AttributeDesk): Promise<void> {
  for (const { upper, work, job, root } of layers) {
    for (const path of [join(job, 'staged'), join(job, 'before'), upper, work]) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    }
    likeRoot(upper, root)
  }
  const attributes = await rootAttributes(layers, desk)
  for (const [index, { upper }] of layers.entries()) {
    const own = attributes[index] ?? {}
    if (Object.keys(own).length > 0) await desk.write(Buffer.from(upper), own)
  }
}

/** The mounted root looks like its upper layer: mode, owner and time are those of the real one. */
export function likeRoot(upper: string, root: string): void {
  const { mode, uid, gid, atime, mtime } = lstatSync(root)
  if (process.geteuid?.() === 0) chownSync(upper, uid, gid)
  utimesSync(upper, atime, mtime)
  chmodSync(upper, mode & 0o7777)
}

/** Access lists that are inherited, most of all. */
export const rootAttributes = (
  layers: readonly Layer[],
  desk: AttributeDesk,
): Promise<readonly (Attributes | null)[]> => desk.read(layers.map(({ root }) => Buffer.from(`${root}/.`)))
