import type { Mount } from '../../core/model/plan.js'
import { isAtOrBelow, type RawPath, raw, shown } from './raw-path.js'
import type { Scan } from './upper-scan.js'

/** Most paths that a notice names. */
const NAMED = 3

/** Whether a change may be kept: in the innermost writable mount around it, it is approved or on the way to what is. */
function mayChange(path: RawPath, mounts: readonly Mount[]): boolean {
  const mount = mounts.findLast(({ op, at }) => op === 'write' && isAtOrBelow(path, raw(at)))
  const only = mount?.op === 'write' ? mount.only?.map(raw) : undefined
  return only === undefined || only.some((place) => isAtOrBelow(path, place) || isAtOrBelow(place, path))
}

/** Takes out the changes that lie beside the paths a person approved, in a directory that is writable only for these. */
export function approvedOnly(scan: Scan, top: RawPath, mounts: readonly Mount[], notices: string[]): Scan {
  if (!mounts.some((mount) => mount.op === 'write' && mount.only !== undefined)) return scan
  const isApproved = (path: RawPath): boolean => mayChange(path === '' ? top : `${top}/${path}`, mounts)
  const dropped = scan.found.filter(({ path }) => !isApproved(path)).map(({ path }) => `${shown(top)}/${shown(path)}`)
  if (dropped.length > 0) {
    const more = dropped.length > NAMED ? ` and ${dropped.length - NAMED} more` : ''
    notices.push(`did not keep changes outside the approved paths: ${dropped.slice(0, NAMED).join(', ')}${more}`)
  }
  return {
    found: scan.found.filter(({ path }) => isApproved(path)),
    conflicts: scan.conflicts.filter(isApproved),
  }
}
