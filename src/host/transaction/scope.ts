import picomatch from 'picomatch'
import type { Footing } from './ground.js'
import { below, bytes, type RawPath, raw } from './raw-path.js'

/** Is a path among what is put back? Globs are relative to the workspace or absolute; a directory stands for all below it. */
export function scopeOf(
  scope: readonly string[],
  workspace: string,
  footings: readonly Footing[],
): (root: number, path: RawPath) => boolean {
  if (scope.length === 0) return () => true
  const globs = scope.flatMap((glob) => {
    const full = glob.startsWith('/') ? glob : `${workspace}/${glob.replace(/^\.\/?/, '')}`
    const trimmed = full.replace(/\/+$/, '')
    return [trimmed, `${trimmed}/**`]
  })
  const matches = picomatch(globs, { dot: true })
  return (root, path) => matches(bytes(below(raw(footings[root]?.root ?? ''), path)).toString('utf8'))
}
