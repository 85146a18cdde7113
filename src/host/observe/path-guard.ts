import { lstatSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'
import { isInside, resolvePath } from '../../core/model/basics/path.js'
import { type RealPath, realPath } from './real-path.js'

/** Resolves paths as the kernel does and keeps them inside some roots. */
export interface PathGuard {
  /**
   * Returns the path with every symlink resolved; it may not exist yet. Throws PATH_NOT_ALLOWED for a path outside the
   * roots, and INVALID_ARGUMENTS for one that is empty or holds a NUL byte.
   */
  resolve(path: string): string
  /** As `resolve`, for a directory that exists. Throws DIRECTORY_NOT_FOUND or NOT_A_DIRECTORY. */
  directory(path: string): string
}

/**
 * Creates the path check that Cordon's own requests use, for tools of one's own. Relative paths start from `base`,
 * which is the first root by default. Another process can change a symlink after the check.
 */
export function createPathGuard(roots: readonly string[], base: string | undefined = roots[0]): PathGuard {
  const isUsable = Array.isArray(roots) && roots.every((root) => typeof root === 'string' && root.startsWith('/'))
  if (!isUsable || base === undefined)
    throw new CordonError('INVALID_ARGUMENTS', 'A path guard needs an array of at least one absolute path.')
  const real = roots.map((root) => realPath(root).real)
  return {
    resolve: (path) => guardedPath(path, { base, roots: real, what: 'path' }).real,
    directory: (path) => existing(path, guardedPath(path, { base, roots: real, what: 'directory' }), 'directory'),
  }
}

export interface Guarded {
  /** The directory that relative paths start from. */
  readonly base: string
  /** Resolved roots. */
  readonly roots: readonly string[]
  /** Names the path in messages. */
  readonly what: string
}

/** Resolves a path inside the roots. No error tells whether a path outside the roots exists. */
export function guardedPath(path: unknown, { base, roots, what }: Guarded): RealPath {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    const why =
      typeof path === 'string' && path !== '' ? 'contains a NUL byte. Remove it.' : 'must be a non-empty string.'
    throw new CordonError('INVALID_ARGUMENTS', `The ${what} ${why}`)
  }
  // Resolves the raw text, because the kernel follows a symlink before `..`.
  const found = realPath(path.startsWith('/') ? path : `${base}/${path}`)
  if (insideAny(found.real, roots)) return found
  const allowed = roots.join(', ')
  const link = linkLeadingOut(resolvePath(path, base), roots)
  throw new CordonError(
    'PATH_NOT_ALLOWED',
    link === null
      ? `The ${what} '${path}' lies outside the allowed roots (${allowed}). Use one inside them.`
      : `The ${what} '${path}' goes through the symbolic link ${link}, which leads to ${realPath(link).real}, not inside ` +
          `the allowed roots (${allowed}). Use one inside them, or add the target to the profile's roots.`,
  )
}

/** Returns the path of a directory that exists, or throws the error that fits. */
export function existing(path: string, { real, kind }: RealPath, what: string): string {
  if (kind === 'directory') return real
  if (kind === 'missing')
    throw new CordonError('DIRECTORY_NOT_FOUND', `The ${what} '${path}' does not exist (${real}). Create it first.`)
  const fix = 'Use the directory that holds it.'
  throw new CordonError('NOT_A_DIRECTORY', `The ${what} '${path}' is not a directory but a file (${real}). ${fix}`)
}

const insideAny = (path: string, roots: readonly string[]): boolean => roots.some((root) => isInside(path, root))
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Returns the first symlink whose target is outside the roots; null if the path leaves them otherwise. */
function linkLeadingOut(path: string, roots: readonly string[]): string | null {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (let end = 1; end <= segments.length; end += 1) {
    const prefix = `/${segments.slice(0, end).join('/')}`
    const parent = prefix.slice(0, prefix.lastIndexOf('/')) || '/'
    if (insideAny(realPath(parent).real, roots) && isLink(prefix) && !insideAny(realPath(prefix).real, roots))
      return prefix
  }
  return null
}
