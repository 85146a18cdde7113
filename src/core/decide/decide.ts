import { type Decision, type RuleMatch, strictest, type Verdict } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Profile, Rule } from '../model/profile.js'
import type { Span } from '../model/span.js'
import { toolOf } from './action.js'
import { builtinMatches, isFindable } from './builtins.js'
import { applies } from './conditions.js'
import { isDownload } from './downloads.js'
import { environmentMatches } from './environment.js'
import { networkMatches } from './network-matches.js'
import { opaqueMatches } from './opaque-matches.js'
import { isAllQuiet, type Places, pathMatches, placesOf, quietAt } from './path-matches.js'
import { agentMatches, allowlistMatch } from './program-lists.js'
import { isRehearsal } from './rehearsal.js'
import { requestRules, rulesFor, toMatch } from './rule-matches.js'
import type { DecideInput } from './scene.js'
import { type Standing, Standings } from './standing.js'
import { isAnonymous, trustsPath } from './trusted-name.js'

export { pathQuestions } from './path-questions.js'
export type { DecideInput } from './scene.js'

/** A profile made ready once, however many commands it decides. */
interface Prepared {
  readonly removed: ReadonlySet<string>
  readonly standings: Standings
  readonly places: Places
  readonly defaultReason: string
}

const DEFAULT_SAYS = {
  allow: 'No rule speaks against it',
  ask: 'No rule allows it, and what no rule names has to be approved',
  deny: 'No rule allows it, and what no rule names is denied',
} as const

const NO_RULES: readonly Rule[] = []
const NO_MATCHES: readonly RuleMatch[] = []

const PREPARED = new WeakMap<Profile, Prepared>()

function prepare(profile: Profile): Prepared {
  const known = PREPARED.get(profile)
  if (known) return known
  const removed = new Set(profile.builtins.removed)
  const prepared = {
    removed,
    standings: new Standings(profile, removed),
    places: placesOf(profile),
    defaultReason: `${DEFAULT_SAYS[profile.default]} in the profile "${profile.name}".`,
  }
  PREPARED.set(profile, prepared)
  return prepared
}

const byDefault = (span: Span, program: string | null, verdict: Verdict, { defaultReason }: Prepared): RuleMatch =>
  program
    ? { rule: 'default', verdict, span, reason: defaultReason, program }
    : { rule: 'default', verdict, span, reason: defaultReason }

/** What speaks of one part: the allowlist, the rules people wrote, the effects that ask by default, and last the default. */
function addPart(
  part: Invocation,
  standing: Standing,
  wholeAllowed: boolean,
  input: DecideInput,
  prepared: Prepared,
  matches: RuleMatch[],
): void {
  const before = matches.length
  const listed = allowlistMatch(part, input)
  if (listed) matches.push(listed)
  let allowed = wholeAllowed
  const tool = toolOf(input.command)
  const rules = rulesFor(part, standing.rules, tool)
  if (rules.length > 0)
    for (const rule of rules) {
      if (rule.verdict === 'allow' && !trustsPath(input.facts)) continue
      allowed ||= rule.verdict === 'allow'
      matches.push(toMatch(rule, part))
    }
  const spoken = matches.length > before || wholeAllowed
  const asking = allowed ? NO_RULES : rulesFor(part, standing.effects, tool)
  const effects = asking.length === 0 || isRehearsal(part) || isDownload(part) ? NO_RULES : asking
  let isAsked = false
  for (const rule of effects) {
    if (!applies(rule, part, input)) continue
    isAsked = true
    matches.push(toMatch(rule, part))
  }
  const verdict = input.profile.default
  if (!spoken && (!isAsked || verdict !== 'allow')) matches.push(byDefault(part.span, part.program, verdict, prepared))
}

/** What a program starts by itself is not asked for by anybody: only a rule against it speaks of it. */
function addImplied(part: Invocation, { rules }: Standing, input: DecideInput, matches: RuleMatch[]): void {
  for (const rule of rulesFor(part, rules, toolOf(input.command)))
    if (rule.verdict !== 'allow') matches.push(toMatch(rule, part))
}

/**
 * Facts and answers in the light of a profile: allow < ask < deny, the strictest wins and brings its evidence. Built-in denials
 * come first, then the profile's denials, its asks, its allowances, and last its default; a command of several parts is
 * allowed only when every part is. Pure, and never throws.
 */
export function decide(input: DecideInput): Decision {
  const { facts, profile, text } = input
  const prepared = prepare(profile)
  const { removed, standings } = prepared
  const spoken: RuleMatch[] = []
  let wholeAllowed = false
  if (standings.actions.length > 0)
    for (const rule of requestRules(input, standings.actions)) {
      spoken.push(toMatch(rule, { span: [0, text.length], program: null }))
      wholeAllowed ||= rule.verdict === 'allow'
    }
  // Nearly always there is nothing for the denials to look at: what they would see is told by the way.
  const quiet = quietAt(prepared.places, input)
  const allQuiet = isAllQuiet(input, quiet)
  const findable = isFindable(input, quiet, allQuiet)
  let isDeniable = findable
  let isNetwork = facts.hosts.length > 0
  const { invocations } = facts
  for (let i = 0; i < invocations.length; i++) {
    const part = invocations[i] as Invocation
    const standing = standings.of(part.program)
    isDeniable ||= standing.builtins.length > 0 || isAnonymous(part)
    isNetwork ||= standing.isNetwork
    if (part.implied) addImplied(part, standing, input, spoken)
    else addPart(part, standing, wholeAllowed, input, prepared, spoken)
  }
  if (spoken.length === 0) spoken.push(byDefault([0, text.length], null, profile.default, prepared))
  const first = isDeniable ? builtinMatches(input, removed, findable, standings.builtinsOf) : NO_MATCHES
  const network = isNetwork && !removed.has('network') ? networkMatches(input) : NO_MATCHES
  const agent = profile.agentPrograms === null ? NO_MATCHES : agentMatches(input)
  const isFirst = first.length + network.length + agent.length === 0
  const matches = isFirst ? spoken : [...first, ...network, ...agent, ...spoken]
  if (!allQuiet) addAll(matches, pathMatches(input, prepared.places, quiet))
  // None of what was added allows anything, so that those that do are still the ones that were spoken.
  addAll(matches, opaqueMatches(input, matches))
  if (facts.environment.length > 0 && !removed.has('environment')) addAll(matches, environmentMatches(input))
  return strictest(matches)
}

function addAll(matches: RuleMatch[], more: readonly RuleMatch[]): void {
  for (let i = 0; i < more.length; i++) matches.push(more[i] as RuleMatch)
}
