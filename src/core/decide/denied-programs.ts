import type { Profile } from '../model/profile.js'
import { BUILTINS } from './builtins.js'

/** A name that stands for one program and no other. */
const isName = (name: string): boolean => !/[*?\\/]/.test(name)

/**
 * Programs the profile denies whatever their arguments are: what the wall can mask, so that they are refused however they are
 * called. Sorted, each once.
 */
export function deniedPrograms({ builtins, rules }: Profile): readonly string[] {
  const builtin = BUILTINS.filter(({ name, refuses }) => !refuses && !builtins.removed.includes(name)).flatMap(
    (one) => one.programs ?? [],
  )
  const ruled = rules.flatMap(({ verdict, program, args, action }) =>
    verdict === 'deny' && args.length === 0 && action === null ? (program ?? []) : [],
  )
  return [...new Set([...builtin, ...ruled])].filter(isName).toSorted()
}
