import { resolvePath } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'

/** The longest path that Linux accepts. */
const PATH_MAX = 4_096
/** The maximum length of a chain of links. */
const MAX_LINKS = 16

/** The working directory of a process by its /proc path. */
const OWN_DIRECTORY = /^\/+proc\/+(?:self|thread-self|\d+)\/+cwd(?=\/)/

/** The links of the script that are followed: none, those before the last segment, or all. */
type Followed = 'none' | 'before' | 'all'

/** Returns the absolute path as the kernel resolves it: `..` after a link of the host leaves the link's target. */
export function physicalPath(analysis: Analysis, path: string, base: string): string {
  analysis.budget.chars(path.length + base.length)
  return path.includes('.') && path.includes('..') ? walked(analysis, path, base, 'none') : resolvePath(path, base)
}

/** Returns the absolute path of an argument, or null if the working directory is unknown. */
export function absolutePath(
  analysis: Analysis,
  { directory: { cwd } }: Pick<State, 'directory'>,
  path: string,
): string | null {
  if (path.startsWith('/')) return physicalPath(analysis, path, '/')
  return cwd === null ? null : physicalPath(analysis, path, cwd)
}

/** Returns the path of a file that the script writes or runs. An unknown working directory has a name there. */
export const scriptPath = (analysis: Analysis, { directory }: Pick<State, 'directory'>, path: string): string =>
  physicalPath(analysis, path, path.startsWith('/') ? '/' : (directory.cwd ?? directory.unknownCwdName))

/** Resolves a path through links of the script, which may not exist. Null if there are none. */
export function linkedPath(analysis: Analysis, path: string, base: string, last: boolean): string | null {
  if (!analysis.files.hasLinks) return null
  const followed = walked(analysis, path, base, last ? 'all' : 'before')
  return followed === walked(analysis, path, base, 'none') ? null : followed
}

function walked(analysis: Analysis, path: string, base: string, which: Followed): string {
  const whole = path.startsWith('/') ? path.replace(OWN_DIRECTORY, () => analysis.input.cwd) : `${base}/${path}`
  if (whole.length > PATH_MAX) return resolvePath(path, base)
  analysis.budget.add(4 + (whole.length >> 2))
  let current = ''
  const segments = whole.split('/').filter((segment) => segment !== '' && segment !== '.')
  segments.forEach((segment, i) => {
    if (segment === '..') {
      const real = realOf(analysis, current)
      current = real.slice(0, Math.max(0, real.lastIndexOf('/')))
    } else current = `${current}/${segment}`
    if (which === 'all' || (which === 'before' && i < segments.length - 1)) current = followed(analysis, current)
  })
  return current === '' ? '/' : current
}

function followed(analysis: Analysis, path: string): string {
  let current = path
  for (let i = 0; i < MAX_LINKS; i++) {
    const next = analysis.files.links.get(current)
    if (next === undefined) break
    current = next
  }
  return current === '/' ? '' : current
}

/** Returns the target of a host symlink. The working directory and the script's own directories are none. */
function realOf(analysis: Analysis, path: string): string {
  const { cwd } = analysis.input
  if (path === '' || cwd === path || cwd.startsWith(`${path}/`) || analysis.files.directories.has(path)) return path
  const answer = analysis.answers.paths.get(path)
  if (answer === undefined) analysis.questions.add({ ask: 'path', path })
  return answer === undefined || answer.kind === 'missing' ? path : answer.real
}
