/** POSIX paths as plain text, compared segment by segment; never by `startsWith`, trailing slash or case. */

/** Reports whether a path is absolute, with no empty, `.` or `..` segment and no final slash. False for the root. */
export const isTidy = (path: string): boolean => path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path)

/** Joins, removes `.` and empty segments, folds `..`. `base` is used when `path` is relative. */
export function resolvePath(path: string, base: string): string {
  const whole = path.startsWith('/') ? path : `${base}/${path}`
  if (isTidy(whole)) return whole
  const segments: string[] = []
  for (const segment of whole.split('/')) {
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

/** Reports whether a normalised path is at or below a root. Faster than resolving it. */
export const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || root === '/' || path[root.length] === '/')

/** The last name of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
