import type { RuleMatch } from '../../model/policy/decision.js'
import type { Rule } from '../../model/policy/profile.js'
import type { Invocation } from '../../model/run/facts.js'
import {
  actionForbids,
  actionForbidsText,
  actionPermits,
  actionPermitsText,
  type ToolName,
  toolOf,
} from '../match/action-pattern.js'
import { globMatches } from '../match/glob.js'
import { type DecideInput, match } from '../match/input.js'
import { isOption, subcommandPositions } from '../match/subcommand-words.js'
import { isTrustedName } from '../match/trusted-name.js'

type Argument = Invocation['argv'][number]

const SPECIAL = /[*?\\]/

/** The alternatives for one wanted argument: plain words, which are looked up, and patterns. */
interface Want {
  readonly words: ReadonlySet<string>
  readonly patterns: readonly string[]
  /** Not an option. As the first argument it must be at the position of a subcommand. */
  readonly isWord: boolean
}

const WANTS = new WeakMap<Rule, readonly Want[]>()

/** The wanted arguments of a rule. Some rules list dozens of words, so each rule is taken apart once. */
function wantsOf(rule: Rule): readonly Want[] {
  const known = WANTS.get(rule)
  if (known) return known
  const wants = rule.args.map((wanted): Want => {
    const all = typeof wanted === 'string' ? [wanted] : wanted
    return {
      words: new Set(all.filter((one) => !SPECIAL.test(one))),
      patterns: all.filter((one) => SPECIAL.test(one)),
      isWord: !(all[0] ?? '-').startsWith('-'),
    }
  })
  WANTS.set(rule, wants)
  return wants
}

const fits = ({ words, patterns }: Want, argument: Argument): boolean =>
  typeof argument === 'string' && (words.has(argument) || patterns.some((pattern) => globMatches(pattern, argument)))

/** Reports whether an option with an unknown value fits a pattern that ends in `*`. */
const beginsSo = ({ patterns }: Want, argument: Argument): boolean =>
  typeof argument !== 'string' &&
  argument.prefix !== undefined &&
  patterns.some(
    (pattern) => pattern.endsWith('*') && !pattern.endsWith('\\*') && globMatches(pattern, argument.prefix ?? ''),
  )

/**
 * Reports whether an argument is at the position of a subcommand. An unknown word, as in `git $command`, may be any of
 * them.
 */
const isPlaced = (index: number, positions: readonly number[] | null, isFitting: boolean): boolean =>
  positions === null ? isFitting || index === 1 : positions.includes(index)

/**
 * Matches a rule against: the wanted arguments occur in this order with gaps. The first must be a subcommand if it is a
 * word.
 */
function occur(wanted: readonly Want[], part: Invocation): boolean {
  let found = 0
  let positions: readonly number[] | null | undefined
  for (let i = 1; i < part.argv.length && found < wanted.length; i++) {
    const want = wanted[found]
    const argument = part.argv[i]
    if (want === undefined || argument === undefined) continue
    const isFitting = fits(want, argument) || beginsSo(want, argument)
    if (found > 0 || !want.isWord) {
      if (isFitting) found++
      continue
    }
    const unknown = typeof argument !== 'string' && argument.glob === undefined && !isOption(argument)
    if (!unknown && !isFitting) continue
    positions ??= subcommandPositions(part)
    if (isPlaced(i, positions, isFitting)) found++
  }
  return found === wanted.length
}

/** In favour: they are the first arguments, with nothing between them. `git push status` is no `git status`. */
const lead = (wanted: readonly Want[], { argv }: Invocation): boolean =>
  wanted.every((want, i) => {
    const argument = argv[i + 1]
    return argument !== undefined && fits(want, argument)
  })

/** Does the rule name this program? A rule in favour means its letter case too. */
function names(rule: Rule, program: string | null): boolean {
  if (rule.program === null) return true
  if (program === null) return false
  const permits = rule.verdict === 'allow'
  const name = permits ? program : program.toLowerCase()
  return rule.program.some((one) => globMatches(permits ? one : one.toLowerCase(), name))
}

/** Reports whether a rule matches the arguments of an invocation. Allow rules match narrowly, others broadly. */
function fitsRule(rule: Rule, part: Invocation, tool: ToolName): boolean {
  const permits = rule.verdict === 'allow'
  if (permits && !isTrustedName(part)) return false
  if (!(permits ? lead : occur)(wantsOf(rule), part)) return false
  return rule.action === null || (permits ? actionPermits : actionForbids)(rule.action, tool, part)
}

/** Reports whether a rule matches an invocation. */
export const ruleCovers = (rule: Rule, part: Invocation, tool: ToolName): boolean =>
  names(rule, part.program) && fitsRule(rule, part, tool)

/** Rules by lower-case program name, so that a command is compared only with relevant rules. */
export interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly Rule[]>
  readonly patterns: readonly (readonly [pattern: string, rule: Rule])[]
  /** Rules that name no program. */
  readonly general: readonly Rule[]
}

export function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, Rule[]>()
  const patterns: [string, Rule][] = []
  for (const rule of rules) {
    for (const name of rule.program?.map((one) => one.toLowerCase()) ?? []) {
      if (SPECIAL.test(name)) patterns.push([name, rule])
      else named.set(name, [...(named.get(name) ?? []), rule])
    }
  }
  return { named, patterns, general: rules.filter(({ program }) => program === null) }
}

/** Returns the rules that match a part, first those that name its program. */
export function rulesFor(part: Invocation, index: RuleIndex, tool: ToolName): readonly Rule[] {
  const program = part.program?.toLowerCase() ?? ''
  const byPattern = index.patterns.filter(([pattern]) => globMatches(pattern, program)).map(([, rule]) => rule)
  const candidates = new Set([...(index.named.get(program) ?? []), ...byPattern, ...index.general])
  return [...candidates].filter((rule) => ruleCovers(rule, part, tool))
}

export const toMatch = (rule: Rule, part: Pick<Invocation, 'span' | 'program'>): RuleMatch =>
  match(rule.id, rule.verdict, part.span, rule.because, { instead: rule.instead, program: part.program })

/** Returns the rules whose action matches the whole request. An allow rule matches only the identical text. */
export function requestRules({ command, text, profile }: DecideInput): readonly Rule[] {
  const tool = toolOf(command)
  return profile.rules.filter(({ action, verdict, program, args }) => {
    if (action === null || program !== null || args.length > 0) return false
    return (verdict === 'allow' ? actionPermitsText : actionForbidsText)(action, tool, text)
  })
}
