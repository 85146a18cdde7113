import { type Decision, type RuleMatch, strictest } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Profile } from '../model/profile.js'
import type { Span } from '../model/span.js'
import { toolOf } from './action.js'
import { builtinMatches } from './builtins.js'
import { EFFECTS, effectName } from './effects.js'
import { environmentMatches } from './environment.js'
import { networkMatches } from './network-matches.js'
import { opaqueMatches } from './opaque-matches.js'
import { type Places, pathMatches, placesOf } from './path-matches.js'
import { agentMatches, allowlistMatch } from './program-lists.js'
import { indexRules, type RuleIndex, requestRules, rulesFor, toMatch } from './rule-matches.js'
import { type DecideInput, match } from './scene.js'

export { pathQuestions } from './path-questions.js'
export type { DecideInput } from './scene.js'

/** A profile made ready once, however many commands it decides. */
interface Prepared {
  readonly removed: ReadonlySet<string>
  readonly rules: RuleIndex
  readonly effects: RuleIndex
  readonly places: Places
}

const PREPARED = new WeakMap<Profile, Prepared>()

function prepare(profile: Profile): Prepared {
  const known = PREPARED.get(profile)
  if (known) return known
  const removed = new Set(profile.builtins.removed)
  const effects = EFFECTS.filter((effect) => !removed.has(effectName(effect)))
  const prepared = {
    removed,
    rules: indexRules(profile.rules),
    effects: indexRules(effects),
    places: placesOf(profile),
  }
  PREPARED.set(profile, prepared)
  return prepared
}

/** What speaks of one part: the allowlist, the rules people wrote, the effects that ask by default, and last the default. */
function partMatches(
  part: Invocation,
  wholeAllowed: boolean,
  input: DecideInput,
  prepared: Prepared,
): readonly RuleMatch[] {
  const tool = toolOf(input.command)
  const listed = allowlistMatch(part, input)
  const rules = rulesFor(part, prepared.rules, tool).map((rule) => toMatch(rule, part))
  const spoken = listed ? [listed, ...rules] : rules
  const allowed = wholeAllowed || rules.some(({ verdict }) => verdict === 'allow')
  const effects = allowed ? [] : rulesFor(part, prepared.effects, tool).map((rule) => toMatch(rule, part))
  const settled = spoken.length > 0 || wholeAllowed || (effects.length > 0 && input.profile.default === 'allow')
  return settled ? [...spoken, ...effects] : [...effects, byDefault(part.span, part.program, input)]
}

const DEFAULT_SAYS = {
  allow: 'No rule speaks against it',
  ask: 'No rule allows it, and what no rule names has to be approved',
  deny: 'No rule allows it, and what no rule names is denied',
} as const

function byDefault(span: Span, program: string | null, { profile }: DecideInput): RuleMatch {
  const reason = `${DEFAULT_SAYS[profile.default]} in the profile "${profile.name}".`
  return match('default', profile.default, span, reason, { program })
}

/**
 * Facts and answers in the light of a profile: allow < ask < deny, the strictest wins and brings its evidence. Built-in denials
 * come first, then the profile's denials, its asks, its allowances, and last its default; a command of several parts is
 * allowed only when every part is. Pure, and never throws.
 */
export function decide(input: DecideInput): Decision {
  const { facts, profile, text } = input
  const prepared = prepare(profile)
  const { removed } = prepared
  const whole: Span = [0, text.length]
  const request = requestRules(input, prepared.rules).map((rule) => toMatch(rule, { span: whole, program: null }))
  const wholeAllowed = request.some(({ verdict }) => verdict === 'allow')
  const parts = facts.invocations.flatMap((part) => partMatches(part, wholeAllowed, input, prepared))
  const allowed = [...request, ...parts]
    .filter(({ verdict, rule }) => verdict === 'allow' && rule !== 'default')
    .map(({ span }) => span)
  const matches = [
    ...builtinMatches(input, removed),
    ...(removed.has('network') ? [] : networkMatches(input)),
    ...agentMatches(input),
    ...request,
    ...parts,
    ...(facts.invocations.length > 0 || request.length > 0 ? [] : [byDefault(whole, null, input)]),
    ...pathMatches(input, prepared.places),
    ...opaqueMatches(input, allowed),
    ...(removed.has('environment') ? [] : environmentMatches(input)),
  ]
  const [first = byDefault(whole, null, input), ...rest] = matches
  return strictest([first, ...rest])
}
