import { isFolded, isTidy, resolvePath } from '../model/path.js'

/** An absolute path, with the common case of a tidy relative one done by joining. */
export function absolutePath(path: string, base: string): string {
  if (path === '.') return base
  if (path.startsWith('/')) return isTidy(path) ? path : resolvePath(path, '/')
  const from = path.startsWith('./') ? 2 : 0
  if (!isFolded(path, from) || base === '/') return resolvePath(path, base)
  return `${base}/${from === 0 ? path : path.slice(from)}`
}
