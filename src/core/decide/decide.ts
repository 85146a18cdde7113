import type { Span } from '../model/basics/span.js'
import { type Decision, type RuleMatch, strictest } from '../model/policy/decision.js'
import type { Profile } from '../model/policy/profile.js'
import type { Invocation } from '../model/run/facts.js'
import { builtinMatches } from './denials/index.js'
import { networkMatches } from './denials/network.js'
import { applies } from './effects/conditions.js'
import { effectName } from './effects/effect-rule.js'
import { EFFECTS } from './effects/index.js'
import { isDownload } from './effects/is-download.js'
import { isDryRun } from './effects/is-dry-run.js'
import { toolOf } from './match/action-pattern.js'
import { gitSettingMatches } from './match/git-settings.js'
import { type DecideInput, match } from './match/input.js'
import { withRemedy } from './match/remedy.js'
import { trustsPath } from './match/trusted-name.js'
import { type PathPolicy, pathMatches, pathPolicyOf } from './paths/path-matches.js'
import { environmentMatches } from './profile/environment.js'
import { opaqueMatches } from './profile/opaque-matches.js'
import { agentMatches, allowlistMatch } from './profile/program-lists.js'
import { indexRules, type RuleIndex, requestRules, rulesFor, toMatch } from './profile/rule-matches.js'

export type { DecideInput } from './match/input.js'
export { pathQuestions } from './paths/path-questions.js'

/** A profile made ready once, however many commands it decides. */
interface Prepared {
  readonly removed: ReadonlySet<string>
  readonly rules: RuleIndex
  /** Built-in questions that the profile has not removed. */
  readonly effects: RuleIndex
  readonly paths: PathPolicy
}

const DEFAULT_VERBS = {
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
    paths: pathPolicyOf(profile),
  }
  PREPARED.set(profile, prepared)
  return prepared
}

const byDefault = (span: Span, program: string | null, { profile }: DecideInput): RuleMatch =>
  match('default', profile.default, span, `Profile "${profile.name}" ${DEFAULT_VERBS[profile.default]}.`, {
    program,
  })

/** Returns the matches of one part: allowlist, written rules, built-in questions, and last the default. */
function partMatches(part: Invocation, isWholeAllowed: boolean, input: DecideInput): readonly RuleMatch[] {
  const { rules, effects } = prepare(input.profile)
  const tool = toolOf(input.command)
  const written = rulesFor(part, rules, tool)
  // The script does not name implied programs, so only rules against them apply.
  if (part.implied) return written.filter(({ verdict }) => verdict !== 'allow').map((rule) => toMatch(rule, part))
  const matched = written.filter(({ verdict }) => verdict !== 'allow' || trustsPath(input.facts))
  const isAllowed = isWholeAllowed || matched.some(({ verdict }) => verdict === 'allow')
  const asking = isAllowed ? [] : rulesFor(part, effects, tool)
  const asked = asking.filter((rule) => !isDryRun(part) && !isDownload(part) && applies(rule, part, input))
  const listed = allowlistMatch(part, input)
  const matches = [...(listed ? [listed] : []), ...[...matched, ...asked].map((rule) => toMatch(rule, part))]
  const isCovered = isWholeAllowed || listed !== null || matched.length > 0
  if (!isCovered && (asked.length === 0 || input.profile.default !== 'allow'))
    matches.push(byDefault(part.span, part.program, input))
  return matches
}

/**
 * Decides by the profile: allow < ask < deny, and the strictest verdict wins with its evidence. Built-in denials come
 * first, then the denials, questions and allow rules of the profile, and last its default. A command of several parts
 * is allowed only if every part is. Pure; never throws.
 */
export function decide(input: DecideInput): Decision {
  const { facts, profile, text } = input
  const { removed, paths } = prepare(profile)
  const whole = requestRules(input)
  const isWholeAllowed = whole.some(({ verdict }) => verdict === 'allow')
  const matched = [
    ...whole.map((rule) => toMatch(rule, { span: [0, text.length], program: null })),
    ...facts.invocations.flatMap((part) => partMatches(part, isWholeAllowed, input)),
  ]
  if (matched.length === 0) matched.push(byDefault([0, text.length], null, input))
  const matches = [
    ...builtinMatches(input, removed),
    ...(removed.has('network') ? [] : networkMatches(input)),
    ...agentMatches(input),
    ...matched,
    ...gitSettingMatches(input),
    ...pathMatches(input, paths),
    ...opaqueMatches(input, matched),
    ...(removed.has('environment') ? [] : environmentMatches(input)),
  ]
  return strictest(matches.map((one) => withRemedy(one, profile, facts)))
}
