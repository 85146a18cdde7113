import { type Decision, type RuleMatch, strictest } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Profile } from '../model/profile.js'
import type { Span } from '../model/span.js'
import { toolOf } from './action.js'
import { builtinMatches } from './builtins.js'
import { applies } from './conditions.js'
import { isDownload } from './downloads.js'
import { effectName } from './effect-rule.js'
import { EFFECTS } from './effects.js'
import { environmentMatches } from './environment.js'
import { gitSettingMatches } from './git-settings.js'
import { networkMatches } from './network-matches.js'
import { opaqueMatches } from './opaque-matches.js'
import { type Places, pathMatches, placesOf } from './path-matches.js'
import { agentMatches, allowlistMatch } from './program-lists.js'
import { isRehearsal } from './rehearsal.js'
import { indexRules, type RuleIndex, requestRules, rulesFor, toMatch } from './rule-matches.js'
import { type DecideInput, match } from './scene.js'
import { trustsPath } from './trusted-name.js'

export { pathQuestions } from './path-questions.js'
export type { DecideInput } from './scene.js'

/** A profile made ready once, however many commands it decides. */
interface Prepared {
  readonly removed: ReadonlySet<string>
  readonly rules: RuleIndex
  /** Built-in questions that the profile has not removed. */
  readonly effects: RuleIndex
  readonly places: Places
}

const DEFAULT_SAYS = {
  allow: 'allows commands that no rule denies',
  ask: 'asks about commands that no rule allows',
  deny: 'denies commands that no rule allows',
} as const

const PREPARED = new WeakMap<Profile, Prepared>()

function prepare(profile: Profile): Prepared {
  const known = PREPARED.get(profile)
  if (known) return known
  const removed = new Set(profile.builtins.removed)
  const prepared = {
    removed,
    rules: indexRules(profile.rules),
    effects: indexRules(EFFECTS.filter((effect) => !removed.has(effectName(effect)))),
    places: placesOf(profile),
  }
  PREPARED.set(profile, prepared)
  return prepared
}

const byDefault = (span: Span, program: string | null, { profile }: DecideInput): RuleMatch =>
  match('default', profile.default, span, `Profile "${profile.name}" ${DEFAULT_SAYS[profile.default]}.`, {
    program,
  })

/** What speaks of one part: the allowlist, the rules people wrote, the effects that ask by default, and last the default. */
function partMatches(part: Invocation, isWholeAllowed: boolean, input: DecideInput): readonly RuleMatch[] {
  const { rules, effects } = prepare(input.profile)
  const tool = toolOf(input.command)
  const written = rulesFor(part, rules, tool)
  // What a program starts by itself is not asked for by anybody: only a rule against it speaks of it.
  if (part.implied) return written.filter(({ verdict }) => verdict !== 'allow').map((rule) => toMatch(rule, part))
  const spoken = written.filter(({ verdict }) => verdict !== 'allow' || trustsPath(input.facts))
  const isAllowed = isWholeAllowed || spoken.some(({ verdict }) => verdict === 'allow')
  const asking = isAllowed ? [] : rulesFor(part, effects, tool)
  const asked = asking.filter((rule) => !isRehearsal(part) && !isDownload(part) && applies(rule, part, input))
  const listed = allowlistMatch(part, input)
  const matches = [...(listed ? [listed] : []), ...[...spoken, ...asked].map((rule) => toMatch(rule, part))]
  const isSpokenOf = isWholeAllowed || listed !== null || spoken.length > 0
  if (!isSpokenOf && (asked.length === 0 || input.profile.default !== 'allow'))
    matches.push(byDefault(part.span, part.program, input))
  return matches
}

/**
 * Facts and answers in the light of a profile: allow < ask < deny, the strictest wins and brings its evidence. Built-in denials
 * come first, then the profile's denials, its asks, its allowances, and last its default; a command of several parts is
 * allowed only when every part is. Pure, and never throws.
 */
export function decide(input: DecideInput): Decision {
  const { facts, profile, text } = input
  const { removed, places } = prepare(profile)
  const whole = requestRules(input)
  const isWholeAllowed = whole.some(({ verdict }) => verdict === 'allow')
  const spoken = [
    ...whole.map((rule) => toMatch(rule, { span: [0, text.length], program: null })),
    ...facts.invocations.flatMap((part) => partMatches(part, isWholeAllowed, input)),
  ]
  if (spoken.length === 0) spoken.push(byDefault([0, text.length], null, input))
  return strictest([
    ...builtinMatches(input, removed),
    ...(removed.has('network') ? [] : networkMatches(input)),
    ...agentMatches(input),
    ...spoken,
    ...gitSettingMatches(input),
    ...pathMatches(input, places),
    ...opaqueMatches(input, spoken),
    ...(removed.has('environment') ? [] : environmentMatches(input)),
  ])
}
