import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryAt } from './entry.js'
import type { MountedLayers } from './overlay-mount.js'
import { below, bytes, raw } from './raw-path.js'
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
  const copied = layers ? toCopy(found, at.upperInVault) : new Set()
  if (layers && copied.size > 0) {
    writeFileSync(join(at.job, 'list'), Buffer.concat([...copied].map((path) => bytes(`${path}\0`))))
    await layers.copyOut(at.layer)
  }
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
