import { readlinkSync } from 'node:fs'
import { resolvePath } from '../../core/model/basics/path.js'
import { lookAt } from '../untrusted-files/witness.js'

/** As many as the kernel follows. */
const MAX_LINKS = 40

function targetOf(path: string): string | null {
  try {
    return lookAt(path)?.isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null
  }
}

/**
 * Returns the symlinks on the way to a path, each with real path and target. A process that can replace one can
 * redirect the path.
 */
export function linksOn(path: string): readonly (readonly [at: string, to: string])[] {
  const found: (readonly [string, string])[] = []
  const ahead = path.split('/').reverse()
  let real = '/'
  for (let name = ahead.pop(); name !== undefined && found.length < MAX_LINKS; name = ahead.pop()) {
    const next = resolvePath(name, real)
    const target = name === '' || name === '.' || name === '..' ? null : targetOf(next)
    if (target === null) {
      real = next
      continue
    }
    found.push([next, target])
    if (target.startsWith('/')) real = '/'
    ahead.push(...target.split('/').reverse())
  }
  return found
}
