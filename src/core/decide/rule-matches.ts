import type { RuleMatch } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { actionForbids, actionForbidsText, actionPermits, actionPermitsText, type ToolName, toolOf } from './action.js'
import { globMatches } from './glob.js'
import { subcommandPlaces } from './leading-words.js'
import { type DecideInput, match } from './scene.js'
import { isTrustedName } from './trusted-name.js'

type Argument = Invocation['argv'][number]
type Wanted = Rule['args'][number]

const SPECIAL = /[*?\\]/

function fits(wanted: Wanted, argument: Argument): boolean {
  if (typeof argument !== 'string') return false
  return typeof wanted === 'string' ? globMatches(wanted, argument) : wanted.some((one) => globMatches(one, argument))
}

const isWord = (wanted: Wanted): boolean => !(typeof wanted === 'string' ? wanted : (wanted[0] ?? '-')).startsWith('-')

/** Can the first wanted argument be the one at `index`? A word has to stand where the program has its subcommands. */
function begins(wanted: Wanted, argument: Argument, index: number, places: readonly number[] | null): boolean {
  if (!isWord(wanted)) return fits(wanted, argument)
  // `git $command` may be any subcommand: a rule against one of them speaks of it.
  const unknown = typeof argument !== 'string' && argument.glob === undefined
  if (places === null) return fits(wanted, argument) || (unknown && index === 1)
  return places.includes(index) && (unknown || fits(wanted, argument))
}

/** Against: the wanted arguments occur in this order, whatever stands between them. */
function occur(wanted: readonly Wanted[], part: Invocation): boolean {
  if (wanted.length === 0) return true
  const places = subcommandPlaces(part)
  let found = 0
  for (let i = 1; i < part.argv.length && found < wanted.length; i++) {
    const want = wanted[found]
    const argument = part.argv[i]
    if (want === undefined || argument === undefined) continue
    if (found === 0 ? begins(want, argument, i, places) : fits(want, argument)) found++
  }
  return found === wanted.length
}

/** In favour: they are the first arguments, with nothing between them. `git push status` is no `git status`. */
const lead = (wanted: readonly Wanted[], { argv }: Invocation): boolean =>
  wanted.every((want, i) => {
    const argument = argv[i + 1]
    return argument !== undefined && fits(want, argument)
  })

/** Does the rule speak of this invocation? A rule in favour is read narrowly, a rule against broadly. */
export function ruleCovers(rule: Rule, part: Invocation, tool: ToolName): boolean {
  const permits = rule.verdict === 'allow'
  const { program } = part
  if (permits && !isTrustedName(part)) return false
  if (rule.program !== null) {
    if (program === null) return false
    const name = permits ? program : program.toLowerCase()
    if (!rule.program.some((one) => globMatches(permits ? one : one.toLowerCase(), name))) return false
  }
  if (!(permits ? lead : occur)(rule.args, part)) return false
  return rule.action === null || (permits ? actionPermits : actionForbids)(rule.action, tool, part)
}

/** Rules by the program they name, so that a command meets only those that could speak of it. */
export interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly Rule[]>
  readonly general: readonly Rule[]
  readonly actions: readonly Rule[]
}

export function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, Rule[]>()
  const general: Rule[] = []
  for (const rule of rules) {
    if (rule.program === null || rule.program.some((name) => SPECIAL.test(name))) general.push(rule)
    else
      for (const name of rule.program) named.set(name.toLowerCase(), [...(named.get(name.toLowerCase()) ?? []), rule])
  }
  return { named, general, actions: rules.filter(({ action }) => action !== null) }
}

export function rulesFor(part: Invocation, index: RuleIndex, tool: ToolName): readonly Rule[] {
  const named = part.program === null ? undefined : index.named.get(part.program.toLowerCase())
  if (!named && index.general.length === 0) return []
  return [...(named ?? []), ...index.general].filter((rule) => ruleCovers(rule, part, tool))
}

export const toMatch = (rule: Rule, part: Pick<Invocation, 'span' | 'program'>): RuleMatch =>
  match(rule.id, rule.verdict, part.span, rule.because, { instead: rule.instead, program: part.program })

/** Rules over the action string of the whole request. In favour only where the pattern is the request itself, letter by letter. */
export function requestRules({ command, text }: DecideInput, index: RuleIndex): readonly Rule[] {
  if (index.actions.length === 0) return []
  const tool = toolOf(command)
  return index.actions.filter(({ action, verdict, program, args }) => {
    if (action === null || program !== null || args.length > 0) return false
    return (verdict === 'allow' ? actionPermitsText : actionForbidsText)(action, tool, text)
  })
}
