import { oneOf } from '../values/one-of.js'
import { unknown, type Value } from '../values/value.js'
import type { State } from './state.js'
import { SOMEWHERE, type WorkingDirectory } from './working-directory.js'

/** Returns the name of an unknown directory that is the same each time. */
const unknownCwd = ({ unknownCwdName: pathName }: WorkingDirectory): { readonly pathName?: string } =>
  pathName === SOMEWHERE ? {} : { pathName }

/** Returns the working directory, or one of those that a failed `cd` can leave. */
export function currentDirectory({ directory }: State): Value {
  const { cwd, possibleOldCwds, possibleCwds } = directory
  if (cwd === null)
    return { ...unknown('environment', 'the current directory'), alternatives: possibleCwds, ...unknownCwd(directory) }
  return possibleOldCwds.length === 0 ? cwd : oneOf([cwd, ...possibleOldCwds])
}
