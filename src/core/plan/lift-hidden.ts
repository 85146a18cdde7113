import { isInside } from '../model/basics/path.js'
import type { Mount } from '../model/policy/plan.js'

const isHiding = ({ op }: Mount): boolean => op === 'hide-file' || op === 'hide-directory'

/** Returns the mounts without the pins above lifted paths: an approved command may remove the directory. */
function withoutPins(mounts: readonly Mount[], lifted: readonly Mount[]): readonly Mount[] {
  if (lifted.length === 0) return mounts
  const isNeeded = (pin: string): boolean =>
    mounts.some(({ op, at }) => op !== 'pin' && at !== pin && isInside(at, pin))
  return mounts.filter(({ op, at }) => op !== 'pin' || !lifted.some((one) => isInside(one.at, at)) || isNeeded(at))
}

/**
 * Opens hidden paths that a person approved. A hidden path at or below it is no longer hidden. In a hidden directory
 * above it, only the path itself is mounted, read-only.
 */
export function liftHidden(mounts: readonly Mount[], paths: readonly string[]): readonly Mount[] {
  if (paths.length === 0) return mounts
  const lifted = mounts.filter((mount) => isHiding(mount) && paths.some((path) => isInside(mount.at, path)))
  const kept = withoutPins(
    mounts.filter((mount) => !lifted.includes(mount)),
    lifted,
  )
  const below = paths.filter((path) => kept.some((mount) => isHiding(mount) && isInside(path, mount.at)))
  return [...kept, ...below.map((path): Mount => ({ op: 'read', from: path, at: path }))]
}
