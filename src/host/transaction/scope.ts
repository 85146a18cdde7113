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
  // Only what the profile wrote is a pattern: a workspace may be called `a*b`.
  const inWorkspace = matcher(scope.filter((glob) => !glob.startsWith('/')))
  const anywhere = matcher(scope.filter((glob) => glob.startsWith('/')))
  return (root, path) => {
    const full = bytes(below(raw(footings[root]?.root ?? ''), path)).toString('utf8')
    return anywhere(full) || (full.startsWith(`${workspace}/`) && inWorkspace(full.slice(workspace.length + 1)))
  }
}

function matcher(globs: readonly string[]): (path: string) => boolean {
  const trimmed = globs.map((glob) => glob.replace(/^(?:\.(?:\/+|$))+/, '').replace(/\/+$/, ''))
  const all = trimmed.flatMap((glob) => (glob === '' ? ['**'] : [glob, `${glob}/**`]))
  return all.length === 0 ? () => false : picomatch(all, { dot: true, flags: 's' })
}
