import { sameAttributes } from '../attributes/attributes.js'
import { type Entry, sameOwner, untouched } from '../paths/entry.js'
import { parentOf, type RawPath } from '../paths/raw-path.js'
import type { Step } from '../undo-store/step.js'
import type { Snapshot } from './snapshot.js'

const depth = (path: RawPath): number => path.split('/').length

/**
 * Returns the changes of a command that wrote to the tree, as steps already done: removals, deepest first, then the
 * rest, parents first. Images are in `home/image`. The list can contain unchanged files.
 */
export function copyChanges(root: number, home: string, was: Snapshot, is: Snapshot): readonly Step[] {
  const [before, now] = [was.entries, is.entries]
  const image = (path: RawPath): string => `${home}/image/${path}`
  let count = 0
  const fresh = (): string => `${home}/staged/${count++}`
  const gone = [...before].filter(([path, entry]) => path !== '' && vanished(entry, now.get(path)))
  const removals = gone
    .sort(([a], [b]) => depth(b) - depth(a))
    .flatMap(([path, entry]): Step[] => {
      const base = { root, path, before: entry, after: null, from: null }
      if (entry.type === 'directory') return [{ ...base, act: 'rmdir', keep: null, ...attributesOf(path, was, is) }]
      return now.has(path) ? [] : [{ ...base, act: 'drop', keep: image(path) }]
    })
  const additions = [...now]
    .sort(([a], [b]) => depth(a) - depth(b))
    .flatMap(([path, after]): Step[] => {
      const entry = before.get(path) ?? null
      const replaced = entry?.type === 'directory' ? null : entry
      const base = { root, path, before: replaced, after, keep: replaced ? image(path) : null }
      if (after.type === 'directory') return entry?.type === 'directory' ? [] : [{ ...base, act: 'mkdir', from: null }]
      return replaced && untouched(replaced, after) ? [] : [{ ...base, act: 'put', from: fresh() }]
    })
  return [...removals, ...additions]
}

/**
 * Adds steps for the other names of changed files, so that they stay hard links of one file. These steps are not
 * changes.
 */
export function withOtherNames(steps: readonly Step[], home: string, was: Snapshot, is: Snapshot): readonly Step[] {
  const parted = new Set(
    steps.flatMap(({ act, before }) => (before && before.links > 1 && act !== 'meta' ? [before.ino] : [])),
  )
  if (parted.size === 0) return steps
  const isParted = ({ type, ino }: Entry): boolean => type !== 'directory' && parted.has(ino)
  const stated = new Set(steps.map(({ path }) => path))
  const together = steps.map((step, index): Step => {
    if (step.act !== 'meta' || !step.before || !isParted(step.before)) return step
    return { ...step, act: 'put', keep: `${home}/image/${step.path}`, from: `${home}/staged/mode-${index}` }
  })
  const others = [...was.entries].flatMap(([path, before], index): Step[] => {
    const after = is.entries.get(path)
    if (!after || !isParted(before) || stated.has(path)) return []
    const base = { path, before, after, keep: `${home}/image/${path}`, from: `${home}/staged/other-${index}` }
    return [{ root: steps[0]?.root ?? 0, act: 'put', aside: true, ...base }]
  })
  return [...together, ...others]
}

const vanished = (was: Entry, is: Entry | undefined): boolean =>
  !is || (was.type === 'directory' && is.type !== 'directory')

function attributesOf(path: RawPath, was: Snapshot, is: Snapshot): Pick<Step, 'attributes'> {
  const before = was.attributes.get(path) ?? {}
  const after = is.attributes.get(path) ?? {}
  return sameAttributes(before, after) ? {} : { attributes: { before, after } }
}

/** The modes, times and attributes of directories, after the steps for what is in them. */
export function directoryChanges(root: number, was: Snapshot, is: Snapshot, steps: readonly Step[]): readonly Step[] {
  const touched = new Set(steps.map(({ path }) => parentOf(path)))
  return [...was.entries].flatMap(([path, before]): Step[] => {
    const after = is.entries.get(path)
    if (before.type !== 'directory' || after?.type !== 'directory') return []
    const attributes = attributesOf(path, was, is)
    const asItWas = before.mode === after.mode && before.mtime === after.mtime && sameOwner(before, after)
    if (asItWas && !attributes.attributes && !touched.has(path)) return []
    return [{ root, path, act: 'meta', before, after, from: null, keep: null, ...attributes }]
  })
}
