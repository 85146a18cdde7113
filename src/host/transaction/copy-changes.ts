import { type Entry, untouched } from './entry.js'
import { parentOf, type RawPath } from './raw-path.js'
import type { Manifest } from './snapshot.js'
import type { Step } from './step.js'

const depth = (path: RawPath): number => path.split('/').length

/**
 * What a command that wrote to the tree itself has changed, as steps already done: removals, deepest first; then the rest, parents first;
 * then the modes and times of directories. Images lie in `home/image`.
 */
export function copyChanges(root: number, home: string, before: Manifest, now: Manifest): readonly Step[] {
  const image = (path: RawPath): string => `${home}/image/${path}`
  let count = 0
  const fresh = (): string => `${home}/staged/${count++}`
  const gone = [...before].filter(([path, was]) => path !== '' && vanished(was, now.get(path)))
  const removals = gone
    .sort(([a], [b]) => depth(b) - depth(a))
    .flatMap(([path, was]): Step[] => {
      const base = { root, path, before: was, after: null, from: null }
      if (was.type === 'directory') return [{ ...base, act: 'rmdir', keep: null }]
      return now.has(path) ? [] : [{ ...base, act: 'drop', keep: image(path) }]
    })
  const additions = [...now]
    .sort(([a], [b]) => depth(a) - depth(b))
    .flatMap(([path, after]): Step[] => {
      const was = before.get(path) ?? null
      const replaced = was?.type === 'directory' ? null : was
      const base = { root, path, before: replaced, after, keep: replaced ? image(path) : null }
      if (after.type === 'directory') return was?.type === 'directory' ? [] : [{ ...base, act: 'mkdir', from: null }]
      if (replaced && onlyMode(replaced, after)) return [{ ...base, act: 'meta', from: null, keep: null }]
      return replaced && asBefore(replaced, after) ? [] : [{ ...base, act: 'put', from: fresh() }]
    })
  const steps = [...removals, ...additions]
  return [...steps, ...directories(root, before, now, new Set(steps.map(({ path }) => parentOf(path))))]
}

const vanished = (was: Entry, is: Entry | undefined): boolean =>
  !is || (was.type === 'directory' && is.type !== 'directory')

/** Another name for a file changes its ctime and no more. */
const asBefore = (was: Entry, is: Entry): boolean =>
  untouched(was, is) || (was.links === 1 && is.links > 1 && untouched({ ...was, ctime: is.ctime }, is))

const onlyMode = (was: Entry, is: Entry): boolean =>
  was.mode !== is.mode && untouched({ ...was, mode: is.mode, ctime: is.ctime }, is) && was.links === is.links

function directories(root: number, before: Manifest, now: Manifest, touched: ReadonlySet<RawPath>): readonly Step[] {
  return [...before].flatMap(([path, was]): Step[] => {
    const after = now.get(path)
    if (was.type !== 'directory' || after?.type !== 'directory') return []
    if (was.mode === after.mode && was.mtime === after.mtime && !touched.has(path)) return []
    return [{ root, path, act: 'meta', before: was, after, from: null, keep: null }]
  })
}
