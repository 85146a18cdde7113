import { lstatSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'
import { isInside, resolvePath } from '../../core/model/basics/path.js'
import { realPath } from './real-path.js'

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

/**
 * Returns the working directory of a request, resolved and inside the roots. Each failure has its own error. No error
 * tells whether a path outside the roots exists.
 */
export function resolveDirectory(cwd: string, workspace: string, roots: readonly string[]): string {
  if (cwd.includes('\0')) {
    throw new CordonError('INVALID_ARGUMENTS', 'The working directory contains a NUL byte. Remove it.')
  }
  const path = resolvePath(cwd, workspace)
  // Resolves the raw text, because the kernel follows a symlink before `..`.
  const { real, kind } = realPath(cwd.startsWith('/') ? cwd : `${workspace}/${cwd}`)
  const allowed = roots.join(', ')
  if (!insideAny(real, roots)) {
    const link = linkLeadingOut(path, roots)
    if (link !== null) {
      throw new CordonError(
        'PATH_NOT_ALLOWED',
        `The working directory '${cwd}' goes through the symbolic link ${link}, which leads to ${realPath(link).real}, not inside the allowed roots (${allowed}). Use a directory inside them, or add the target to the profile's roots.`,
      )
    }
    throw new CordonError(
      'PATH_NOT_ALLOWED',
      `The working directory '${cwd}' lies outside the allowed roots (${allowed}). Use a directory inside them.`,
    )
  }
  if (kind === 'missing') {
    throw new CordonError(
      'DIRECTORY_NOT_FOUND',
      `The working directory '${cwd}' does not exist (${real}). Create it first, or leave cwd out to run in ${workspace}.`,
    )
  }
  if (kind !== 'directory') {
    throw new CordonError(
      'NOT_A_DIRECTORY',
      `The working directory '${cwd}' is not a directory but a file (${real}). Use the directory that holds it.`,
    )
  }
  return real
}
