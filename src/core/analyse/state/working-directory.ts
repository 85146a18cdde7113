/** The name of an unknown directory that differs each time. */
export const SOMEWHERE = '/dev/cordon/somewhere'

/** The working directory of a shell and the directories it remembers. Immutable: `cd` returns another. */
export interface WorkingDirectory {
  /** Null after a `cd` to an unknown directory. */
  readonly cwd: string | null
  /** The possible directories when `cwd` is null. */
  readonly possibleCwds: readonly string[]
  /** The name of an unknown directory. Files that the script writes there are stored under it. */
  readonly unknownCwdName: string
  /** Directories where a failed `cd` would have stayed: the other values of `$PWD` beside `cwd`. */
  readonly possibleOldCwds: readonly string[]
  readonly previous: string | null
  /** Directories stored by `pushd`. */
  readonly stack: readonly (string | null)[]
}

/** Returns the directory of a shell that starts in `cwd`. */
export const startIn = (cwd: string): WorkingDirectory => ({
  cwd,
  possibleCwds: [],
  unknownCwdName: SOMEWHERE,
  possibleOldCwds: [],
  previous: null,
  stack: [],
})

/** The maximum number of possible directories that are kept apart. */
const MAX_POSSIBLE = 8

/** Returns the directory after one of several branches. `staying` lists those that did not exit. */
export function joinDirectories(main: WorkingDirectory, staying: readonly WorkingDirectory[]): WorkingDirectory {
  const isSame = staying.every(({ cwd }) => cwd === main.cwd)
  const hasName = isSame && staying.every(({ unknownCwdName }) => unknownCwdName === main.unknownCwdName)
  const cwd = isSame ? main.cwd : null
  const possible = new Set(staying.flatMap((one) => [...(one.cwd === null ? [] : [one.cwd]), ...one.possibleCwds]))
  return {
    ...main,
    cwd,
    unknownCwdName: hasName ? main.unknownCwdName : SOMEWHERE,
    possibleCwds: cwd !== null ? main.possibleCwds : possible.size > MAX_POSSIBLE ? [] : [...possible],
  }
}
