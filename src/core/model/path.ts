/** POSIX paths as plain text, compared segment by segment; never by `startsWith`, trailing slash or case. */

const SLASH = 0x2f
const DOT = 0x2e

/** Has a path nothing to fold from there on: no empty, `.` or `..` segment, no slash at the end? Most have not, and splitting them all was felt. */
export function isFolded(path: string, from: number): boolean {
  let start = from
  let dots = true
  for (let i = from; i < path.length; i++) {
    const c = path.charCodeAt(i)
    if (c === SLASH) {
      if (dots && i - start < 3) return false
      start = i + 1
      dots = true
    } else if (c !== DOT) dots = false
  }
  return !(dots && path.length - start < 3)
}

/** Absolute, with nothing to fold. The root itself is not: it has no name. */
export const isTidy = (path: string): boolean => path.charCodeAt(0) === SLASH && isFolded(path, 1)

/** Joins, removes `.` and empty segments, folds `..`. `base` is used when `path` is relative. */
export function resolvePath(path: string, base: string): string {
  if (isTidy(path)) return path
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

/** The last name of a path. Most are given without one before it; `lastIndexOf` is a long way to go for a few characters. */
export function baseName(path: string): string {
  for (let i = path.length - 1; i >= 0; i--) if (path.charCodeAt(i) === SLASH) return path.slice(i + 1)
  return path
}
