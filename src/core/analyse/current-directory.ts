import { oneOf } from './one-of.js'
import { SOMEWHERE, type State } from './state.js'
import { unknown, type Value } from './value.js'

/** What the current directory goes by, where it is not known but the same each time. */
const here = ({ place }: State): { readonly place?: string } => (place === SOMEWHERE ? {} : { place })

/** The directory we are in, or one of those we may still be in. */
export function currentDirectory(state: State): Value {
  const { cwd, stays, places } = state
  if (cwd === null) return { ...unknown('environment', 'the current directory'), options: places, ...here(state) }
  return stays.length === 0 ? cwd : oneOf([cwd, ...stays])
}
