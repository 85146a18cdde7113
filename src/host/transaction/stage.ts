import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttributeDesk } from './attributes.js'
import { entryAt, statsAt } from './entry.js'
import type { MountedLayers } from './overlay-mount.js'
import { below, bytes, parentOf, type RawPath, raw } from './raw-path.js'
import type { Step } from './step.js'
import type { Found } from './upper-scan.js'

export interface Stage {
  readonly layer: number
  /** The transaction's own directory in the vault, absolute and relative to the vault. */
  readonly job: string
  readonly home: string
  readonly upper: RawPath
  /** Whether the upper layer lies in the vault, so that files can be moved out of it. */
  readonly upperInVault: boolean
}

/**
 * Readies the new version of every file for one rename. Files move straight out of the upper layer. Those that overlayfs copied up carry its
 * private attributes, which are taken away first; where that cannot be, or the layer lies elsewhere, they are copied through the mount
 * instead, which does not show them.
 */
export async function stage(
  found: readonly Found[],
  at: Stage,
  layers: MountedLayers,
  desk: AttributeDesk,
): Promise<readonly Step[]> {
  const copied = await toCopy(found, at, desk)
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

/** One name of each file is copied and the others are made: to an ordinary user the mount shows names of one file as several files. */
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

/** Names of one file go the same way, or they would no longer be names of one file: what strips one of them strips all. */
async function toCopy(found: readonly Found[], { upper, upperInVault }: Stage, desk: AttributeDesk) {
  const puts = found.filter(({ act }) => act === 'put')
  if (!upperInVault) return new Set(puts.map(({ path }) => path))
  const allNames = (wanted: (put: Found) => unknown): ReadonlySet<Found> => {
    const inodes = new Set(puts.filter(wanted).map(({ after }) => after?.ino))
    return new Set(puts.filter(({ after }) => inodes.has(after?.ino)))
  }
  const placeOf = ({ path }: Found): Buffer => bytes(below(upper, path))
  const holed = allNames((put) => put.marked && hasHoles(placeOf(put)))
  const whole = [...allNames(({ marked }) => marked)].filter((put) => !holed.has(put))
  const stripped = await desk.strip(whole.map(placeOf))
  return new Set([...holed, ...whole.filter((_, index) => !stripped[index])].map(({ path }) => path))
}

/** Small ones are not worth a copy. */
const HOLE_BYTES = 64n * 1024n

/** Copying up fills the rest of a megabyte in which there is something; `cp` makes the holes anew. */
function hasHoles(place: Buffer): boolean {
  const stats = statsAt(place)
  return stats?.isFile() === true && stats.size - stats.blocks * 512n >= HOLE_BYTES
}
