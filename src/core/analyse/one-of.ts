import { hole, type Value } from './value.js'

/** A value that is one of several. */
export function oneOf(values: readonly Value[]): Value {
  const [first] = values
  if (first === undefined) return ''
  if (values.every((value) => value === first)) return first
  const options = values.filter((value) => typeof value === 'string')
  const base = values.find((value) => typeof value !== 'string')
  if (typeof base === 'object') {
    // What nothing is known of is more than the others, whatever it depends on.
    const source = base.source === 'condition' && base.options === undefined ? 'output' : base.source
    return { ...base, source, head: '', options: [...(base.options ?? []), ...options] }
  }
  return { ...hole('depends on a condition', 'condition'), options: [...new Set(options)] }
}
