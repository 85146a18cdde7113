import { resolvePath } from '../model/path.js'

/** Something to fold: an empty, `.` or `..` segment. */
const UNTIDY = /(?:^|\/)\.{0,2}(?:\/|$)/

/** An absolute path, with the common case of a tidy relative one done by joining. */
export function absolutePath(path: string, base: string): string {
  if (path === '.') return base
  if (path.startsWith('/')) return UNTIDY.test(path.slice(1)) ? resolvePath(path, '/') : path
  const tidy = path.startsWith('./') ? path.slice(2) : path
  if (UNTIDY.test(tidy) || base === '/') return resolvePath(path, base)
  return `${base}/${tidy}`
}
