import type { Facts, PathFact } from '../core/model/facts.js'
import { isInside } from '../core/model/path.js'
import type { Surroundings } from '../core/model/surroundings.js'
import type { Observer } from './ports.js'

/** Names entries of the real home that a failed command reads and does not see: its private home shows the shared ones only. */
export function unsharedReads({ reads }: Facts, surroundings: Surroundings, observer: Observer): readonly string[] {
  const { home, privateDirectories } = surroundings
  if (!privateDirectories || privateDirectories.home === null) return []
  const isThere = (path: string, seen?: Surroundings): boolean =>
    (observer.answer([{ ask: 'path', path }], seen).paths.get(path)?.kind ?? 'missing') !== 'missing'
  const isUnshared = ({ path, partial }: PathFact): boolean =>
    partial !== true && isInside(path, home) && !isThere(path, surroundings) && isThere(path)
  return reads
    .filter(isUnshared)
    .map(({ path }) => `read: ${path} is not shared with commands; add it to environment.shared of the profile`)
}
