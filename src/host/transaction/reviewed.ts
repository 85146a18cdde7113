import { reviewChanges } from '../git/review-changes.js'
import { entryAt } from './entry.js'
import { below, bytes, isAtOrBelow, type RawPath } from './raw-path.js'
import type { Scan } from './upper-scan.js'

interface Reviewing {
  /** The root that was scanned, and all of them. */
  readonly top: RawPath
  readonly roots: readonly RawPath[]
  /** Where the file system is found as the command left it. */
  readonly view: RawPath
  readonly upper: RawPath
  /** Keys of git's configuration that a person has approved. */
  readonly approved: readonly string[]
  readonly notices: string[]
}

/** Takes the changes out that would have git run, trust or send something, and adds a notice for each. */
export function reviewed(scan: Scan, { top, roots, view, upper, approved, notices }: Reviewing): Scan {
  const changes = scan.found.map(({ path, act }) => ({ path: below(top, path), act }))
  const review = reviewChanges({ changes, roots, view, approved })
  notices.push(...review.notices)
  if (review.refused.size + review.edited.size === 0) return scan
  const refused = [...review.refused]
  const isRefused = (path: RawPath): boolean => refused.some((place) => isAtOrBelow(below(top, path), place))
  const found = scan.found
    .filter(({ path }) => !isRefused(path))
    .map((step) => {
      if (!review.edited.has(below(top, step.path))) return step
      return { ...step, act: 'put' as const, after: entryAt(bytes(below(upper, step.path))) }
    })
  return { found, conflicts: scan.conflicts.filter((path) => !isRefused(path)) }
}
