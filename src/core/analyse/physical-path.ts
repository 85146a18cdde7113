import { resolvePath } from '../model/path.js'
import type { Reading } from './reading.js'

/** Linux refuses longer paths. */
const PATH_MAX = 4_096
/** Links that lead to links. */
const LINKS = 16

/** The directory a process is in, by the way of the kernel. */
const OWN_DIRECTORY = /^\/+proc\/+(?:self|thread-self|\d+)\/+cwd(?=\/)/

/** Which of the links the script makes are followed: none, those on the way, or the last segment too. */
type Followed = 'none' | 'before' | 'all'

/** The absolute path the kernel finds, as far as that can be told: `..` behind a link of the host's leads to where that points. */
export function physicalPath(reading: Reading, path: string, base: string): string {
  reading.work.chars(path.length + base.length)
  return path.includes('.') && path.includes('..') ? walked(reading, path, base, 'none') : resolvePath(path, base)
}

/**
 * The same with the links the script makes followed; null where that makes no difference. It is the other possibility, never the only
 * one: whether a link can be made cannot be told.
 */
export function linkedPath(reading: Reading, path: string, base: string, last: boolean): string | null {
  if (!reading.memory.hasLinks) return null
  const followed = walked(reading, path, base, last ? 'all' : 'before')
  return followed === walked(reading, path, base, 'none') ? null : followed
}

function walked(reading: Reading, path: string, base: string, which: Followed): string {
  const whole = path.startsWith('/') ? path.replace(OWN_DIRECTORY, () => reading.context.cwd) : `${base}/${path}`
  if (whole.length > PATH_MAX) return resolvePath(path, base)
  reading.work.add(4 + (whole.length >> 2))
  let current = ''
  const segments = whole.split('/').filter((segment) => segment !== '' && segment !== '.')
  segments.forEach((segment, i) => {
    if (segment === '..') {
      const real = realOf(reading, current)
      current = real.slice(0, Math.max(0, real.lastIndexOf('/')))
    } else current = `${current}/${segment}`
    if (which === 'all' || (which === 'before' && i < segments.length - 1)) current = followed(reading, current)
  })
  return current === '' ? '/' : current
}

function followed(reading: Reading, path: string): string {
  let current = path
  for (let i = 0; i < LINKS; i++) {
    const next = reading.links.get(current)
    if (next === undefined) break
    current = next
  }
  return current === '/' ? '' : current
}

/** What a directory is when it is a link of the host's. The one the command starts in is none, nor is what the script makes. */
function realOf(reading: Reading, path: string): string {
  const { cwd } = reading.context
  if (path === '' || cwd === path || cwd.startsWith(`${path}/`) || reading.made.has(path)) return path
  const answer = reading.answers.paths.get(path)
  if (answer === undefined) reading.ask({ ask: 'path', path })
  return answer === undefined || answer.kind === 'missing' ? path : answer.real
}
