import type { RuleMatch } from '../../model/policy/decision.js'
import { effectName } from '../effects/effect-rule.js'
import { EFFECTS } from '../effects/index.js'
import { type DecideInput, type Finding, match } from '../match/input.js'
import { isAnonymous } from '../match/trusted-name.js'
import { SYSTEM_PATHS } from '../paths/path-matches.js'
import { DELETE_BUILTINS } from './deletes.js'
import { type Builtin, MAX_MATCHES } from './denial.js'
import { DEVICE_BUILTINS } from './devices.js'
import { NETWORK_BUILTIN } from './network.js'
import { PROGRAM_BUILTINS } from './programs.js'
import { SHAPE_BUILTINS } from './shapes.js'

/** Every denial that no allow rule lifts, except the network denial in `network.ts`. */
export const BUILTINS: readonly Builtin[] = [
  ...PROGRAM_BUILTINS,
  ...DELETE_BUILTINS,
  ...DEVICE_BUILTINS,
  ...SHAPE_BUILTINS,
]

/** Names a profile may put into `builtins.removed`. */
export const REMOVABLE: ReadonlySet<string> = new Set([
  ...BUILTINS.map(({ name }) => name),
  NETWORK_BUILTIN.name,
  'environment',
  SYSTEM_PATHS,
  ...EFFECTS.map(effectName),
])

const BY_PROGRAM: ReadonlyMap<string, readonly Builtin[]> = (() => {
  const index = new Map<string, Builtin[]>()
  for (const builtin of BUILTINS)
    for (const name of builtin.programs ?? []) index.set(name, [...(index.get(name) ?? []), builtin])
  return index
})()

/** Returns the denials for a program name, in any letter case. */
function builtinsFor(program: string): readonly Builtin[] {
  const name = program.toLowerCase()
  return BY_PROGRAM.get(name) ?? BY_PROGRAM.get(name.replace(/\..*$/s, '.*')) ?? []
}

const toMatch = ({ name, because, instead }: Builtin, { span, program, detail }: Finding): RuleMatch => {
  const reason = [`Command not allowed: ${program ?? 'a program without a known name'}.`, detail, because]
    .filter(Boolean)
    .join(' ')
  return match(`builtin/${name}`, 'deny', span, reason, { instead, program })
}

/** Returns the matches of the built-in denials, at most one for each denial and span. */
export function builtinMatches(input: DecideInput, removed: ReadonlySet<string>): readonly RuleMatch[] {
  const found = new Map<Builtin, RuleMatch[]>()
  const add = (builtin: Builtin, finding: Finding): void => {
    const known = found.get(builtin) ?? []
    if (removed.has(builtin.name) || known.length >= MAX_MATCHES) return
    const isKnown = known.some(({ span }) => span[0] <= finding.span[0] && span[1] >= finding.span[1])
    if (!isKnown) found.set(builtin, [...known, toMatch(builtin, finding)])
  }
  const { invocations } = input.facts
  for (const part of invocations) {
    const { program, span } = part
    if (program === null) continue
    for (const builtin of builtinsFor(program))
      if (builtin.refuses?.(part, input) ?? true) add(builtin, { span, program })
  }
  for (const builtin of BUILTINS) for (const finding of builtin.finds?.(input) ?? []) add(builtin, finding)
  for (const part of invocations.filter(isAnonymous)) {
    for (const builtin of BUILTINS) {
      const finding = builtin.judgesUnknown?.(part, input)
      if (finding) add(builtin, finding)
    }
  }
  return [...found.values()].flat()
}
