import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryAt } from './entry.js'
import type { MountedLayers } from './overlay-mount.js'
import { below, bytes, parentOf, type RawPath, raw } from './raw-path.js'
import type { Step } from './step.js'
import type { Found } from './upper-scan.js'

export interface Stage {
  readonly layer: number
  /** The transaction's own directory in the vault, absolute and relative to the vault. */
  readonly job: string
  readonly home: string
  /** Whether the upper layer lies in the vault, so that files can be moved out of it. */
  readonly upperInVault: boolean
}

/**
 * Readies the new version of every file for one rename. New files move straight out of the upper layer; those that overlayfs copied
 * up carry its private attributes and are copied through the mount instead. Without layers nothing is readied: the steps only tell.
 */
export async function stage(
  found: readonly Found[],
  at: Stage,
  layers: MountedLayers | null,
): Promise<readonly Step[]> {
  const copied = layers ? toCopy(found, at.upperInVault) : new Set<RawPath>()
  if (layers && copied.size > 0) await copyOut(layers, at, found, copied)
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

/** Names of one file go the same way, or they would no longer be names of one file. */
function toCopy(found: readonly Found[], upperInVault: boolean): ReadonlySet<string> {
  const puts = found.filter(({ act }) => act === 'put')
  const inodes = new Set(
    puts.filter(({ marked, after }) => marked && (after?.links ?? 1) > 1).map(({ after }) => after?.ino),
  )
  return new Set(
    puts.filter(({ marked, after }) => !upperInVault || marked || inodes.has(after?.ino)).map(({ path }) => path),
  )
}
