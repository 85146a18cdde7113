import type { Evidence } from '../../../core/model/run/evidence.js'
import { reviewChanges } from '../../git/review-changes.js'
import { reviewToolSettings } from '../../git/review-tool-settings.js'
import { entryAt } from '../paths/entry.js'
import { below, bytes, isAtOrBelow, type RawPath } from '../paths/raw-path.js'
import type { Scan } from './upper-scan.js'

interface Reviewing {
  /** The root that was scanned, and all of them. */
  readonly top: RawPath
  readonly roots: readonly RawPath[]
  /** Path of the file system after the command. */
  readonly view: RawPath
  readonly upper: RawPath
  /** Keys of git's configuration, and paths of tools' settings, that a person has approved. */
  readonly approved: readonly string[]
  /** Protected paths that are reviewed here. */
  readonly places: readonly RawPath[]
  readonly notices: Evidence[]
}

/** Takes the changes out that would have git run, trust or send something, and adds a notice for each. */
export function reviewed(scan: Scan, { top, roots, view, upper, approved, places, notices }: Reviewing): Scan {
  const changes = scan.found.map(({ path, act }) => ({ path: below(top, path), act }))
  const review = reviewChanges({ changes, roots, view, approved })
  const settings = reviewToolSettings({ changes, roots, view, approved, places })
  notices.push(...review.notices, ...settings.notices)
  const refused = [...review.refused, ...settings.refused]
  if (refused.length + review.edited.size === 0) return scan
  const isRefused = (path: RawPath): boolean => refused.some((place) => isAtOrBelow(below(top, path), place))
  const found = scan.found
    .filter(({ path }) => !isRefused(path))
    .map((step) => {
      if (!review.edited.has(below(top, step.path))) return step
      return { ...step, act: 'put' as const, after: entryAt(bytes(below(upper, step.path))) }
    })
  return { found, conflicts: scan.conflicts.filter((path) => !isRefused(path)) }
}
