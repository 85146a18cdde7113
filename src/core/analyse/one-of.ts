import { type Hole, unknown, type Value, worse } from './value.js'

/** So many texts are told apart that a value may be. */
const OPTIONS = 64

/** A value that is one of several. */
export function oneOf(values: readonly Value[]): Value {
  const [first] = values
  if (first === undefined) return ''
  if (values.every((value) => value === first)) return first
  const options = new Set<string>()
  const holes: Hole[] = []
  for (const value of values) {
    if (typeof value === 'string') options.add(value)
    else {
      holes.push(value)
      for (const option of value.options ?? []) options.add(option)
    }
  }
  const [base, ...others] = holes
  if (base === undefined) return bounded({ ...unknown('condition', 'depends on a condition') }, options)
  // What nothing is known of is more than the others, whatever it depends on.
  const source = holes
    .map((one) => (one.source === 'condition' && one.options === undefined ? 'output' : one.source))
    .reduce(worse)
  const { path, glob, place, ...rest } = base
  const isAlike = others.every((one) => one.path === path && one.glob === glob && one.place === place)
  return bounded({ ...(isAlike ? base : rest), source, head: '' }, options)
}

function bounded(value: Hole, options: ReadonlySet<string>): Hole {
  if (options.size <= OPTIONS) return { ...value, options: [...options] }
  return { ...value, source: worse(value.source, 'output'), options: [...options].slice(0, OPTIONS) }
}
