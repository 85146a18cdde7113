import { allowHosts, allowRule, inSettings } from '../../model/policy/allow-command.js'
import type { RuleMatch } from '../../model/policy/decision.js'
import type { Profile } from '../../model/policy/profile.js'
import type { Facts } from '../../model/run/facts.js'
import { isOverBroad, OVER_BROAD } from './over-broad.js'
import { isTrustedName } from './trusted-name.js'

/** A rule that matched against a command, with its context. */
interface RemedyInput {
  readonly match: RuleMatch
  /** The rule id without its prefix: `sudo` for `builtin/sudo`. */
  readonly name: string
  readonly profile: Profile
  readonly facts: Pick<Facts, 'invocations'> | null
}

/** More words than this are not written into a rule. */
const MAX_WORDS = 12
const PLAIN_WORD = /^[\w@%+.,:=/-]+$/
/** Effects that no rule may allow: they widen a profile or answer for a person. */
const NEVER = /^(?:self-approval)$/

/** Returns `cordon allow program` with the words of the command, as far as they are known and plain. */
function allowProgram({ match: { program, span }, profile, facts }: RemedyInput): string | null {
  // A program that another one starts can have several names.
  const part = facts?.invocations.find(
    (one) => one.program === program && one.via.length === 0 && one.span[0] === span[0] && one.span[1] === span[1],
  )
  if (!part?.program || !isTrustedName(part) || !PLAIN_WORD.test(part.program)) return null
  const args = part.argv.slice(1)
  const odd = args.findIndex((arg) => typeof arg !== 'string' || !PLAIN_WORD.test(arg))
  const words = args.slice(0, odd < 0 ? MAX_WORDS : odd).filter((arg) => typeof arg === 'string')
  if (OVER_BROAD.has(part.program) || isOverBroad(part.program, words)) return null
  if (words.length === 0 && args.length > 0) return null
  const line = [part.program, ...words].join(' ')
  return words.some((word) => word.startsWith('-'))
    ? `cordon allow program --profile ${profile.name} -- ${line}`
    : `cordon allow program ${line} --profile ${profile.name}`
}

const lifting =
  (rule?: string) =>
  ({ name, profile }: RemedyInput): string =>
    allowRule(rule ?? name, profile.name)

const setting =
  (words: string) =>
  ({ profile }: RemedyInput): string =>
    inSettings(words, profile.name)

const effect = (matched: RemedyInput): string =>
  NEVER.test(matched.name)
    ? 'No setting allows this. A person can run it in their own terminal.'
    : (allowProgram(matched) ?? lifting()(matched))

/** Remedies by rule id. The first match applies. */
const REMEDIES: readonly (readonly [rule: RegExp, remedy: (matched: RemedyInput) => string])[] = [
  [/^builtin\/network$/, ({ profile }) => allowHosts('NAME', profile.name)],
  [/^builtin\//, lifting()],
  [/^effect\//, effect],
  [/^environment\//, lifting('environment')],
  [/^opaque\//, ({ name, profile }) => inSettings(`set \`opaque.${name} = "allow"\``, profile.name)],
  [/^path\/(?:contains-)?hidden$/, setting('leave the path out of `paths.hidden`')],
  [/^path\/protected$/, setting('leave the path out of `paths.protected`')],
  [/^path\/read-only$/, () => 'A person can run it with a profile that allows writes: --profile workspace.'],
  [/^path\/outside-read$/, setting('add the directory to `paths.readable`')],
  [/^path\/outside-/, setting('add the directory to `paths.writable`')],
  [/^path\/unknown$/, setting('set `paths.write_outside = "allow"`')],
  [/^path\/system-paths$/, lifting()],
  [
    /^profile\/allowlist$/,
    ({ match: { program }, profile }) =>
      program === undefined || OVER_BROAD.has(program) || !PLAIN_WORD.test(program)
        ? inSettings('add the program to `programs.allow_only`', profile.name)
        : `cordon allow program ${program} --profile ${profile.name}`,
  ],
  [/^profile\/modes$/, setting('add the mode to `modes`')],
  [/^profile\/program-paths$/, setting('set `programs.paths = true`')],
  [/^profile\/plain-arguments$/, setting('set `plain_arguments = false`')],
  [/^request\//, () => 'No setting allows this. Change the request.'],
  [/^agent\/programs$/, () => "A person can add the program to the agent's `programs` in the settings."],
  [
    /^git\/(?:setting|redirect)$/,
    () => 'No setting allows this permanently. A person can change it in their own terminal.',
  ],
  [/^confirm\//, ({ name, profile }) => inSettings(`leave ${JSON.stringify(name)} out of \`confirm\``, profile.name)],
  [
    /^permissions\//,
    ({ name }) => `A person can remove the entry ${JSON.stringify(name)} from \`[permissions]\` in the settings.`,
  ],
  [/^default$/, (matched) => allowProgram(matched) ?? inSettings('set `default = "allow"`', matched.profile.name)],
]

/** Returns the remedy for a match: a command for a person, or a sentence. Null for an unknown kind of rule. */
export function remedyFor(match: RuleMatch, profile: Profile, facts: RemedyInput['facts']): string | null {
  const name = match.rule.slice(match.rule.indexOf('/') + 1)
  const found = REMEDIES.find(([rule]) => rule.test(match.rule))
  if (found !== undefined) return found[1]({ match, name, profile, facts })
  return profile.rules.some(({ id }) => id === match.rule)
    ? inSettings(`change the rule ${JSON.stringify(match.rule)}`, profile.name)
    : null
}

/** Adds the remedy to a match, unless it allows or has a remedy. */
export function withRemedy(match: RuleMatch, profile: Profile, facts: RemedyInput['facts'] = null): RuleMatch {
  if (match.verdict === 'allow' || match.remedy !== undefined) return match
  const remedy = remedyFor(match, profile, facts)
  return remedy === null ? match : { ...match, remedy }
}
