import type { RuleMatch } from '../model/decision.js'
import type { Builtin } from './builtin.js'
import { DELETE_BUILTINS } from './builtin-deletes.js'
import { DEVICE_BUILTINS } from './builtin-devices.js'
import { PROGRAM_BUILTINS } from './builtin-programs.js'
import { SHAPE_BUILTINS } from './builtin-shapes.js'
import { EFFECTS, effectName } from './effects.js'
import { NETWORK_BUILTIN } from './network-matches.js'
import { type DecideInput, type Finding, match } from './scene.js'

/** Every denial that no allow rule lifts, but the network's, which has its own file. */
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
  ...EFFECTS.map(effectName),
])

const FINDERS = BUILTINS.filter(({ finds }) => finds !== undefined)

const BY_PROGRAM: ReadonlyMap<string, readonly Builtin[]> = (() => {
  const index = new Map<string, Builtin[]>()
  for (const builtin of BUILTINS)
    for (const name of builtin.programs ?? []) index.set(name, [...(index.get(name) ?? []), builtin])
  return index
})()

const byProgram = (program: string): readonly Builtin[] =>
  BY_PROGRAM.get(program) ??
  (program.includes('.') ? (BY_PROGRAM.get(`${program.slice(0, program.indexOf('.'))}.*`) ?? []) : [])

const toMatch = ({ name, because, instead }: Builtin, { span, program, detail }: Finding): RuleMatch => {
  const reason = [`Command not allowed: ${program ?? name}.`, detail, because].filter(Boolean).join(' ')
  return match(`builtin/${name}`, 'deny', span, reason, { instead, program })
}

function* findings(input: DecideInput): Generator<readonly [Builtin, Finding]> {
  for (const part of input.facts.invocations) {
    if (part.program === null) continue
    for (const builtin of byProgram(part.program.toLowerCase())) {
      if (!builtin.programs) continue
      if (builtin.refuses?.(part, input) ?? true) yield [builtin, { span: part.span, program: part.program }]
    }
  }
  for (const builtin of FINDERS) for (const found of builtin.finds?.(input) ?? []) yield [builtin, found]
}

/** What the built-in denials refuse. One denial speaks once of one place. */
export function builtinMatches(input: DecideInput, removed: ReadonlySet<string>): readonly RuleMatch[] {
  const matches: RuleMatch[] = []
  for (const [builtin, found] of findings(input)) {
    if (removed.has(builtin.name)) continue
    const said = matches.some(
      ({ rule, span }) => rule === `builtin/${builtin.name}` && span[0] <= found.span[0] && span[1] >= found.span[1],
    )
    if (!said) matches.push(toMatch(builtin, found))
  }
  return matches
}
