import type { RuleMatch } from '../model/decision.js'
import type { PathFact } from '../model/facts.js'
import { type Builtin, ENOUGH } from './builtin.js'
import { DELETE_BUILTINS } from './builtin-deletes.js'
import { DEVICE_BUILTINS, mayBeDevice } from './builtin-devices.js'
import { PROGRAM_BUILTINS } from './builtin-programs.js'
import { SHAPE_BUILTINS } from './builtin-shapes.js'
import { effectName } from './effect-rule.js'
import { EFFECTS } from './effects.js'
import { NETWORK_BUILTIN } from './network-matches.js'
import { MACHINE_PLACES } from './path-matches.js'
import { isQuiet, type QuietPaths } from './quiet-paths.js'
import { type DecideInput, type Finding, match } from './scene.js'
import { isAnonymous } from './trusted-name.js'

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
  MACHINE_PLACES,
  ...EFFECTS.map(effectName),
])

const FINDERS = BUILTINS.filter(({ finds }) => finds !== undefined)
const UNMASKERS = BUILTINS.filter(({ unmasks }) => unmasks !== undefined)

const BY_PROGRAM: ReadonlyMap<string, readonly Builtin[]> = (() => {
  const index = new Map<string, Builtin[]>()
  for (const builtin of BUILTINS)
    for (const name of builtin.programs ?? []) index.set(name, [...(index.get(name) ?? []), builtin])
  return index
})()

const NONE: readonly Builtin[] = []
const NO_MATCHES: readonly RuleMatch[] = []
const NO_FINDINGS: readonly Finding[] = []

/** The denials that look at a program of this name, in any letter case. */
export function builtinsFor(program: string | null): readonly Builtin[] {
  if (program === null) return NONE
  const name = program.toLowerCase()
  const found = BY_PROGRAM.get(name)
  if (found || !name.includes('.')) return found ?? NONE
  return BY_PROGRAM.get(`${name.slice(0, name.indexOf('.'))}.*`) ?? NONE
}

const toMatch = ({ name, because, instead }: Builtin, { span, program, detail }: Finding): RuleMatch => {
  const reason = [`Command not allowed: ${program ?? 'a program that cannot be named'}.`, detail, because]
    .filter(Boolean)
    .join(' ')
  return match(`builtin/${name}`, 'deny', span, reason, { instead, program })
}

/**
 * Is there something that a finder may find? Most of what is written is a file, and seen to be one by its name. `allQuiet`: no place
 * speaks of any of the paths.
 */
export function isFindable({ facts, answers }: DecideInput, quiet: QuietPaths | null, allQuiet: boolean): boolean {
  const { reads, writes, deletes, shapes } = facts
  if (shapes.length > 0) return true
  for (let i = 0; i < reads.length; i++) if (reads[i]?.by === 'dd') return true
  if (allQuiet && quiet?.isHomeless && answers.paths.size === 0) return isLoudBelow(facts, quiet.workspace)
  for (let i = 0; i < writes.length; i++) if (isLoudWrite(writes[i] as PathFact, answers)) return true
  for (let i = 0; i < deletes.length; i++) if (isLoudDelete(deletes[i] as PathFact, quiet, answers)) return true
  return false
}

/** The same of what is in the workspace, as all paths are seen to be: of deletes only one of all of it, or of nobody knows what. */
function isLoudBelow({ writes, deletes }: DecideInput['facts'], workspace: string): boolean {
  for (let i = 0; i < writes.length; i++) if (writes[i]?.by === 'dd') return true
  for (let i = 0; i < deletes.length; i++) {
    const { recursive, partial, path } = deletes[i] as PathFact
    if (recursive && (partial || path === workspace)) return true
  }
  return false
}

/** Could it be a disk that is written? */
const isLoudWrite = (fact: PathFact, answers: DecideInput['answers']): boolean =>
  fact.by === 'dd' || mayBeDevice(fact, answers)

/** Could it be more than a delete of something in the workspace? */
const isLoudDelete = (fact: PathFact, quiet: QuietPaths | null, answers: DecideInput['answers']): boolean =>
  mayBeDevice(fact, answers) ||
  (fact.recursive === true &&
    !(
      quiet?.isHomeless &&
      !fact.partial &&
      answers.paths.size === 0 &&
      fact.path !== quiet.workspace &&
      isQuiet(quiet, fact.path, false)
    ))

/** What was refused so far. */
class Denials {
  readonly #removed: ReadonlySet<string>
  #found: Map<Builtin, RuleMatch[]> | null = null

  constructor(removed: ReadonlySet<string>) {
    this.#removed = removed
  }

  add(builtin: Builtin, finding: Finding): void {
    this.#found ??= new Map()
    const said = this.#found.get(builtin) ?? []
    if (this.#removed.has(builtin.name) || said.length >= ENOUGH) return
    const isSaid = said.some(({ span }) => span[0] <= finding.span[0] && span[1] >= finding.span[1])
    if (!isSaid) this.#found.set(builtin, [...said, toMatch(builtin, finding)])
  }

  get matches(): readonly RuleMatch[] {
    return this.#found === null ? NO_MATCHES : [...this.#found.values()].flat()
  }
}

/** What the built-in denials refuse. One denial speaks once of one place. `findable`: there is something that a finder may find. */
export function builtinMatches(
  input: DecideInput,
  removed: ReadonlySet<string>,
  findable: boolean,
  builtinsOf: (program: string) => readonly Builtin[],
): readonly RuleMatch[] {
  const { facts } = input
  const denials = new Denials(removed)
  for (const part of facts.invocations) {
    if (part.program === null) continue
    for (const builtin of builtinsOf(part.program)) {
      if (builtin.refuses?.(part, input) ?? true) denials.add(builtin, { span: part.span, program: part.program })
    }
  }
  if (findable)
    for (const builtin of FINDERS) {
      if (!builtin.among?.some((kind) => facts[kind].length > 0)) continue
      for (const finding of builtin.finds?.(input) ?? NO_FINDINGS) denials.add(builtin, finding)
    }
  for (const part of facts.invocations) {
    if (!isAnonymous(part)) continue
    for (const builtin of UNMASKERS) {
      const finding = builtin.unmasks?.(part, input)
      if (finding) denials.add(builtin, finding)
    }
  }
  return denials.matches
}
