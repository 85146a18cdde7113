import type { Mount } from '../../../core/model/policy/plan.js'
import type { Evidence } from '../../../core/model/run/evidence.js'
import { isAtOrBelow, type RawPath, raw, shown } from '../paths/raw-path.js'
import type { Scan } from './upper-scan.js'

/** Most paths that the evidence names. */
const NAMED = 3

/**
 * Reports whether a change may be kept: in the innermost writable mount, it is approved or on the way to an approved
 * path.
 */
function mayChange(path: RawPath, mounts: readonly Mount[]): boolean {
  const mount = mounts.findLast(({ op, at }) => op === 'write' && isAtOrBelow(path, raw(at)))
  const only = mount?.op === 'write' ? mount.only?.map(raw) : undefined
  return only === undefined || only.some((place) => isAtOrBelow(path, place) || isAtOrBelow(place, path))
}

/** Removes changes outside the approved paths in a directory that is writable only for those. */
export function approvedOnly(scan: Scan, top: RawPath, mounts: readonly Mount[], notices: Evidence[]): Scan {
  if (!mounts.some((mount) => mount.op === 'write' && mount.only !== undefined)) return scan
  const isApproved = (path: RawPath): boolean => mayChange(path === '' ? top : `${top}/${path}`, mounts)
  const dropped = scan.found.filter(({ path }) => !isApproved(path)).map(({ path }) => `${shown(top)}/${shown(path)}`)
  if (dropped.length > 0) {
    const paths = dropped.slice(0, NAMED)
    notices.push({ kind: 'unapproved', paths, more: dropped.length - paths.length })
  }
  return {
    found: scan.found.filter(({ path }) => isApproved(path)),
    conflicts: scan.conflicts.filter(isApproved),
  }
}
