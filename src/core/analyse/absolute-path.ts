import { isFolded, isTidy, resolvePath } from '../model/path.js'

/** What was put together last: a file that is read and then written, or moved away, is asked for again at once. */
const last = { path: '', base: '', absolute: '/' }

/** An absolute path. */
export function absolutePath(path: string, base: string): string {
  if (path !== last.path || base !== last.base) {
    last.absolute = joined(path, base)
    last.path = path
    last.base = base
  }
  return last.absolute
}

/** The common case of a tidy relative one is done by joining. */
function joined(path: string, base: string): string {
  if (path === '.') return base
  if (path.startsWith('/')) return isTidy(path) ? path : resolvePath(path, '/')
  const from = path.startsWith('./') ? 2 : 0
  if (!isFolded(path, from) || base === '/') return resolvePath(path, base)
  return `${base}/${from === 0 ? path : path.slice(from)}`
}
