import { resolvePath } from '../../../core/model/basics/path.js'
import { below, isAtOrBelow, parentOf, type RawPath, raw } from '../paths/raw-path.js'
import type { RootPaths } from '../undo-store/open-roots.js'
import type { Step } from '../undo-store/step.js'

type Wanted = (root: number, path: RawPath) => boolean

/** Paths as a person names them: absolute, or relative to the workspace. None given: all. */
export function wantedBy(
  paths: readonly string[] | undefined,
  workspace: string,
  rootPaths: readonly RootPaths[],
): Wanted {
  if (!paths) return () => true
  const places = paths.map((path) => raw(resolvePath(path, workspace)))
  return (root, path) => {
    const full = below(raw(rootPaths[root]?.root ?? ''), path)
    return places.some((place) => isAtOrBelow(full, place))
  }
}

/** Returns the steps for the wanted paths, with the directories they need and the times of directories they change. */
export function select(steps: readonly Step[], wanted: Wanted): readonly Step[] {
  const key = (root: number, path: RawPath): string => `${root} ${path}`
  const chosen = steps.filter(
    ({ act, root, path, before }) => wanted(root, path) && !(act === 'meta' && before?.type === 'directory'),
  )
  const needed = new Set<string>()
  for (const { root, path } of chosen) {
    for (let at = path; at !== ''; at = parentOf(at)) needed.add(key(root, parentOf(at)))
  }
  const picked = new Set([
    ...chosen,
    ...steps.filter(({ act, root, path }) => act === 'mkdir' && needed.has(key(root, path))),
  ])
  const parents = new Set([...picked].map(({ root, path }) => key(root, parentOf(path))))
  return steps.filter((step) => {
    const { act, root, path, before } = step
    if (picked.has(step)) return true
    return act === 'meta' && before?.type === 'directory' && (parents.has(key(root, path)) || wanted(root, path))
  })
}
