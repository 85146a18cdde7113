import type { Evidence } from '../../../core/model/run/evidence.js'
import { reviewChanges } from '../../git/review-changes.js'
import { reviewToolSettings } from '../../git/review-tool-settings.js'
import { Turns } from '../../untrusted-files/turns.js'
import { entryAt } from '../paths/entry.js'
import { below, bytes, parentOf, type RawPath } from '../paths/raw-path.js'
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
export async function reviewed(
  scan: Scan,
  { top, roots, view, upper, approved, places, notices }: Reviewing,
): Promise<Scan> {
  const changes = scan.found.map(({ path, act }) => ({ path: below(top, path), act }))
  const review = await reviewChanges({ changes, roots, view, approved })
  const settings = await reviewToolSettings({ changes, roots, view, approved, places })
  notices.push(...review.notices, ...settings.notices)
  if (review.refused.size + settings.refused.size + review.edited.size === 0) return scan
  const isRefused = atOrBelowAny([...review.refused, ...settings.refused])
  const turns = new Turns()
  const found: Scan['found'][number][] = []
  for (const step of scan.found) {
    await turns.next()
    const path = below(top, step.path)
    if (isRefused(path)) continue
    if (!review.edited.has(path)) found.push(step)
    else found.push({ ...step, act: 'put', after: entryAt(bytes(below(upper, step.path))) })
  }
  return { found, conflicts: scan.conflicts.filter((path) => !isRefused(below(top, path))) }
}

/** Answers once for each directory: a command decides how many paths there are on both sides, and how deep. */
function atOrBelowAny(places: readonly RawPath[]): (path: RawPath) => boolean {
  const known = new Map<RawPath, boolean>(places.map((place) => [place, true]))
  const isBelow = (path: RawPath): boolean => {
    const answer = known.get(path) ?? (path !== '' && isBelow(parentOf(path)))
    known.set(path, answer)
    return answer
  }
  return isBelow
}
