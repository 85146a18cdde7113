import picomatch from 'picomatch'
import { below, bytes, isAtOrBelow, type RawPath, raw } from '../paths/raw-path.js'
import type { RootPaths } from '../undo-store/open-roots.js'

type Matches = (path: RawPath) => boolean

/** Lets globs match names with newlines. */
const OPTIONS = { dot: true, flags: 's' }

/**
 * Returns a test for paths in the scope of a snapshot. Globs are relative to the workspace or absolute; a directory
 * includes all paths below it. Relative globs are matched below the workspace, because its own path may contain glob
 * characters.
 */
export function scopeOf(
  scope: readonly string[],
  workspace: string,
  rootPaths: readonly RootPaths[],
): (root: number, path: RawPath) => boolean {
  if (scope.length === 0) return () => true
  const top = raw(workspace)
  const isNamed = matching(scope.filter((glob) => glob.startsWith('/')))
  const isInner = matching(scope.filter((glob) => !glob.startsWith('/')).map((glob) => glob.replace(/^\.(?:\/|$)/, '')))
  return (root, path) => {
    const place = raw(rootPaths[root]?.root ?? '')
    const full = path === '' ? place : below(place, path)
    return isNamed(full) || (isAtOrBelow(full, top) && isInner(full.slice(top.length + 1)))
  }
}

/** An empty path means the whole workspace. */
function matching(globs: readonly string[]): Matches {
  const trimmed = globs.map((glob) => glob.replace(/\/+$/, ''))
  if (trimmed.includes('') || trimmed.includes('**')) return () => true
  if (trimmed.length === 0) return () => false
  const matches = picomatch([...trimmed, ...trimmed.map((glob) => `${glob}/**`)], OPTIONS)
  return (path) => path !== '' && matches(bytes(path).toString('utf8'))
}
