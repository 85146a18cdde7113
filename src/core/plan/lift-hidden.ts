import { isInside } from '../model/path.js'
import type { Mount } from '../model/plan.js'

const isHiding = ({ op }: Mount): boolean => op === 'hide-file' || op === 'hide-directory'

/**
 * Opens hidden paths that a person has approved. A hidden file or directory at the path, or below it, is no longer hidden; in a hidden
 * directory above it the path alone is mounted, read-only.
 */
export function liftHidden(mounts: readonly Mount[], paths: readonly string[]): readonly Mount[] {
  if (paths.length === 0) return mounts
  const kept = mounts.filter((mount) => !isHiding(mount) || !paths.some((path) => isInside(mount.at, path)))
  const below = paths.filter((path) => kept.some((mount) => isHiding(mount) && isInside(path, mount.at)))
  return [...kept, ...below.map((path): Mount => ({ op: 'read', from: path, at: path }))]
}
