import { allowRule, inSettings } from '../../model/policy/allow-command.js'
import type { Profile } from '../../model/policy/profile.js'
import { BUILTINS } from './index.js'

/** Reports whether a name matches exactly one program. */
const isName = (name: string): boolean => !/[*?\\/]/.test(name)

/**
 * Returns programs that the profile denies with any arguments. The sandbox masks them, so that they are refused however
 * they are called. Sorted, without duplicates.
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

/** Returns the remedy for the denial of a masked program. */
export function liftsDenial(program: string, { name: profile, builtins, rules }: Profile): string {
  const builtin = BUILTINS.find(
    ({ name, refuses, programs }) => !refuses && !builtins.removed.includes(name) && programs?.includes(program),
  )
  const rule = rules.find(({ verdict, program: names }) => verdict === 'deny' && names?.includes(program))
  return builtin === undefined && rule !== undefined
    ? inSettings(`change the rule ${JSON.stringify(rule.id)}`, profile)
    : allowRule(builtin?.name ?? program, profile)
}
