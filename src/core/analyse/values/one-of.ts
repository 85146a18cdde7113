import { type UnknownValue, unknown, type Value, worse } from './value.js'

/** The maximum number of alternatives of a value. */
const MAX_ALTERNATIVES = 64

/** Returns a value that is one of several. */
export function oneOf(values: readonly Value[]): Value {
  const [first] = values
  if (first === undefined) return ''
  if (values.every((value) => value === first)) return first
  const options = new Set<string>()
  const unknowns: UnknownValue[] = []
  for (const value of values) {
    if (typeof value === 'string') options.add(value)
    else {
      unknowns.push(value)
      for (const option of value.alternatives ?? []) options.add(option)
    }
  }
  const [base, ...others] = unknowns
  if (base === undefined) return bounded({ ...unknown('condition', 'a value that depends on a condition') }, options)
  // A value without alternatives covers more than the others, so its origin wins.
  const origin = unknowns
    .map((one) => (one.origin === 'condition' && one.alternatives === undefined ? 'output' : one.origin))
    .reduce(worse)
  const { path, glob, pathName, ...rest } = base
  const isAlike = others.every((one) => one.path === path && one.glob === glob && one.pathName === pathName)
  return bounded({ ...(isAlike ? base : rest), origin, prefix: '' }, options)
}

function bounded(value: UnknownValue, options: ReadonlySet<string>): UnknownValue {
  if (options.size <= MAX_ALTERNATIVES) return { ...value, alternatives: [...options] }
  return { ...value, origin: worse(value.origin, 'output'), alternatives: [...options].slice(0, MAX_ALTERNATIVES) }
}
