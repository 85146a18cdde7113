import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttributeClient } from '../attributes/attributes.js'
import { entryAt, statsAt } from '../paths/entry.js'
import { below, bytes, parentOf, type RawPath, raw } from '../paths/raw-path.js'
import type { Step } from '../undo-store/step.js'
import type { MountedLayers } from './mount-layers.js'
import type { Found } from './upper-scan.js'

export interface Stage {
  readonly layer: number
  /** Directory of the transaction in the undo store, absolute and relative. */
  readonly job: string
  readonly home: string
  readonly upper: RawPath
  /** True if the upper layer is in the undo store, so that files can be moved out of it. */
  readonly upperInStore: boolean
}

/**
 * Prepares the new version of every file for one rename. Files move directly out of the upper layer. Files that
 * overlayfs copied up carry its private attributes, which are removed first. If that fails, or the layer is on another
 * filesystem, they are copied through the mount, which hides the attributes.
 */
export async function stage(
  found: readonly Found[],
  at: Stage,
  layers: MountedLayers,
  attributeClient: AttributeClient,
): Promise<readonly Step[]> {
  const copied = await toCopy(found, at, attributeClient)
  if (copied.size > 0) await copyOut(layers, at, found, copied)
  return found.map(({ marked: _, ...step }, index) => {
    const from = step.act === 'put' ? `${at.home}/${copied.has(step.path) ? 'staged' : 'upper'}/${step.path}` : null
    const replaces = step.before !== null && step.act !== 'meta'
    const place = copied.has(step.path) ? below(raw(join(at.job, 'staged')), step.path) : null
    return {
      ...step,
      after: place === null ? step.after : entryAt(bytes(place)),
      from,
      keep: replaces ? `${at.home}/before/${index}` : null,
    }
  })
}

/**
 * Copies one name of each file and links the others, because a mount shows hard links as several files to an
 * unprivileged user.
 */
async function copyOut(
  layers: MountedLayers,
  { layer, job }: Stage,
  found: readonly Found[],
  copied: ReadonlySet<RawPath>,
): Promise<void> {
  const first = new Map<string, RawPath>()
  const more: { readonly path: RawPath; readonly of: RawPath }[] = []
  for (const { path, after } of found) {
    if (!copied.has(path) || !after || after.links === 1) continue
    const of = first.get(after.ino)
    if (of === undefined) first.set(after.ino, path)
    else more.push({ path, of })
  }
  const others = new Set(more.map(({ path }) => path))
  const list = [...copied].filter((path) => !others.has(path))
  writeFileSync(join(job, 'list'), Buffer.concat(list.map((path) => bytes(`${path}\0`))))
  await layers.copyOut(layer)
  const staged = (path: RawPath): Buffer => bytes(below(raw(join(job, 'staged')), path))
  for (const { path, of } of more) {
    mkdirSync(staged(parentOf(path)), { recursive: true, mode: 0o700 })
    linkSync(staged(of), staged(path))
  }
}

/**
 * Treats all names of one file the same way, so that they stay hard links. Removing attributes from one name removes
 * them from all.
 */
async function toCopy(found: readonly Found[], { upper, upperInStore }: Stage, attributeClient: AttributeClient) {
  const puts = found.filter(({ act }) => act === 'put')
  if (!upperInStore) return new Set(puts.map(({ path }) => path))
  const allNames = (wanted: (put: Found) => unknown): ReadonlySet<Found> => {
    const inodes = new Set(puts.filter(wanted).map(({ after }) => after?.ino))
    return new Set(puts.filter(({ after }) => inodes.has(after?.ino)))
  }
  const placeOf = ({ path }: Found): Buffer => bytes(below(upper, path))
  const holed = allNames((put) => put.marked && hasHoles(placeOf(put)))
  const whole = [...allNames(({ marked }) => marked)].filter((put) => !holed.has(put))
  const stripped = await attributeClient.strip(whole.map(placeOf))
  return new Set([...holed, ...whole.filter((_, index) => !stripped[index])].map(({ path }) => path))
}

/** Small ones are not worth a copy. */
const HOLE_BYTES = 64n * 1024n

/** Reports whether a copied-up file has holes. Copying up fills them, and `cp` restores them. */
function hasHoles(place: Buffer): boolean {
  const stats = statsAt(place)
  return stats?.isFile() === true && stats.size - stats.blocks * 512n >= HOLE_BYTES
}
