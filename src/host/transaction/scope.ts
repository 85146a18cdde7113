import picomatch from 'picomatch'
import type { Footing } from './ground.js'
import { below, bytes, isAtOrBelow, type RawPath, raw } from './raw-path.js'

type Matches = (path: RawPath) => boolean

/** A name may hold anything, new lines too. */
const OPTIONS = { dot: true, flags: 's' }

/**
 * Is a path among what is put back? Globs are relative to the workspace or absolute; a directory stands for all below it. What the workspace is
 * called is no pattern, so relative ones are held against what is below it.
 */
export function scopeOf(
  scope: readonly string[],
  workspace: string,
  footings: readonly Footing[],
): (root: number, path: RawPath) => boolean {
  if (scope.length === 0) return () => true
  const top = raw(workspace)
  const isNamed = matching(scope.filter((glob) => glob.startsWith('/')))
  const isInner = matching(scope.filter((glob) => !glob.startsWith('/')).map((glob) => glob.replace(/^\.(?:\/|$)/, '')))
  return (root, path) => {
    const place = raw(footings[root]?.root ?? '')
    const full = path === '' ? place : below(place, path)
    return isNamed(full) || (isAtOrBelow(full, top) && isInner(full.slice(top.length + 1)))
  }
}

/** The empty path, which is the workspace itself, is what all of it stands for. */
function matching(globs: readonly string[]): Matches {
  const trimmed = globs.map((glob) => glob.replace(/\/+$/, ''))
  if (trimmed.includes('') || trimmed.includes('**')) return () => true
  if (trimmed.length === 0) return () => false
  const matches = picomatch([...trimmed, ...trimmed.map((glob) => `${glob}/**`)], OPTIONS)
  return (path) => path !== '' && matches(bytes(path).toString('utf8'))
}
