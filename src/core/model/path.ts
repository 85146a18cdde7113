/** POSIX paths as plain text, compared segment by segment; never by `startsWith`, trailing slash or case. */

/** Nothing to fold: no empty, `.` or `..` segment, no slash at the end. Most paths are so, and splitting them all was felt at start-up. */
const CLEAN = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]*)+$/

/** Joins, removes `.` and empty segments, folds `..`. `base` is used when `path` is relative. */
export function resolvePath(path: string, base: string): string {
  if (CLEAN.test(path)) return path
  const segments: string[] = []
  for (const segment of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** Is `path` the root itself or below it? Both absolute. */
export function isInside(path: string, root: string): boolean {
  const p = resolvePath(path, '/')
  const r = resolvePath(root, '/')
  return r === '/' || p === r || p.startsWith(`${r}/`)
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
