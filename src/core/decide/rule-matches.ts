import type { RuleMatch } from '../model/decision.js'
import type { Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { actionForbids, actionForbidsText, actionPermits, actionPermitsText, type ToolName, toolOf } from './action.js'
import { globMatches, globTest } from './glob.js'
import { isOption, subcommandPlaces } from './leading-words.js'
import { type DecideInput, match } from './scene.js'
import { isTrustedName } from './trusted-name.js'

type Argument = Invocation['argv'][number]

const SPECIAL = /[*?\\]/

/** A wanted argument made ready: most alternatives are plain words, which are looked up instead of matched. */
interface Want {
  readonly words: ReadonlySet<string>
  readonly globs: readonly ((argument: string) => boolean)[]
  /** Those of them that take whatever follows: what begins so, fits. */
  readonly beginnings: readonly ((head: string) => boolean)[]
  /** No option: as the first argument it has to stand where the program has its subcommands. */
  readonly isWord: boolean
}

const WANTS = new WeakMap<Rule, readonly Want[]>()

function wantsOf(rule: Rule): readonly Want[] {
  const known = WANTS.get(rule)
  if (known) return known
  const wants = rule.args.map((wanted): Want => {
    const all = typeof wanted === 'string' ? [wanted] : wanted
    return {
      words: new Set(all.filter((one) => !SPECIAL.test(one))),
      globs: all.filter((one) => SPECIAL.test(one)).map(globTest),
      beginnings: all.filter((one) => one.endsWith('*') && !one.endsWith('\\*')).map(globTest),
      isWord: !(all[0] ?? '-').startsWith('-'),
    }
  })
  WANTS.set(rule, wants)
  return wants
}

function fits({ words, globs }: Want, argument: Argument): boolean {
  if (typeof argument !== 'string') return false
  if (words.has(argument)) return true
  for (let i = 0; i < globs.length; i++) if (globs[i]?.(argument)) return true
  return false
}

/** Does an option whose value is not known fit, whatever that is? */
const beginsSo = ({ beginnings }: Want, argument: Argument): boolean =>
  typeof argument !== 'string' && argument.head !== undefined && beginnings.some((takes) => takes(argument.head ?? ''))

/** Is the argument where the program has its subcommands? `git $command` may be any of them, where that is not known too. */
const isPlaced = (index: number, places: readonly number[] | null, isFitting: boolean): boolean =>
  places === null ? isFitting || index === 1 : places.includes(index)

/** Against: the wanted arguments occur in this order, whatever stands between them. The first, if a word, has to be a subcommand. */
function occur(wanted: readonly Want[], part: Invocation): boolean {
  let found = 0
  let places: readonly number[] | null | undefined
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
    places ??= subcommandPlaces(part)
    if (isPlaced(i, places, isFitting)) found++
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

/** A rule made ready to be asked of many invocations. */
interface Ready {
  readonly rule: Rule
  /** Its place among those of its program. */
  readonly place: number
  readonly wants: readonly Want[]
  readonly permits: boolean
  readonly action: string | null
}

const toReady = (rule: Rule, place: number): Ready => ({
  rule,
  place,
  wants: wantsOf(rule),
  permits: rule.verdict === 'allow',
  action: rule.action,
})

/** Does a rule that names the program speak of this invocation? A rule in favour is read narrowly, a rule against broadly. */
function speaksOf({ wants, permits, action }: Ready, part: Invocation, tool: ToolName): boolean {
  if (permits && !isTrustedName(part)) return false
  if (!(permits ? lead(wants, part) : occur(wants, part))) return false
  return action === null || (permits ? actionPermits : actionForbids)(action, tool, part)
}

/** Does the rule speak of this invocation? */
export const ruleCovers = (rule: Rule, part: Invocation, tool: ToolName): boolean =>
  names(rule, part.program) && speaksOf(toReady(rule, 0), part, tool)

/** A pattern of program names, and how every name begins that fits it. */
interface NamePattern {
  readonly start: string
  readonly glob: string
}

/** A rule that speaks of programs by patterns of their names; null: of any program. */
interface General {
  readonly rule: Rule
  readonly patterns: readonly NamePattern[] | null
}

/** Rules by the program they name, so that a command meets only those that could speak of it. */
export interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly Rule[]>
  readonly general: readonly General[]
}

export function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, Rule[]>()
  const general: General[] = []
  for (const rule of rules) {
    const globs = rule.program?.filter((name) => SPECIAL.test(name)) ?? []
    if (rule.program === null || globs.length > 0) general.push({ rule, patterns: rule.program && patternsOf(rule) })
    else
      for (const name of new Set(rule.program.map((one) => one.toLowerCase())))
        named.set(name, [...(named.get(name) ?? []), rule])
  }
  return { named, general }
}

const patternsOf = ({ program, verdict }: Rule): readonly NamePattern[] =>
  (program ?? []).map((name) => {
    const glob = verdict === 'allow' ? name : name.toLowerCase()
    return { start: glob.slice(0, `${glob}*`.search(SPECIAL)), glob }
  })

/** Does a general rule name this program? A rule in favour means its letter case too. */
function isNamed({ rule, patterns }: General, program: string | null): boolean {
  if (patterns === null) return true
  if (program === null) return false
  const name = rule.verdict === 'allow' ? program : program.toLowerCase()
  for (const { start, glob } of patterns) if (name.startsWith(start) && globMatches(glob, name)) return true
  return false
}

const NO_RULES: readonly Rule[] = []

/** The rules that speak of a program, those first that have its name and no pattern. */
function rulesNaming(program: string | null, { named, general }: RuleIndex): readonly Rule[] {
  const own = program === null ? NO_RULES : (named.get(program.toLowerCase()) ?? NO_RULES)
  // The index has names in small letters; a rule in favour means its own.
  const found = own.filter((rule) => rule.verdict !== 'allow' || names(rule, program))
  for (const one of general) if (isNamed(one, program)) found.push(one.rule)
  return found.length === 0 ? NO_RULES : found
}

/** Rules that name one program, by the words of which one must be among its arguments for them to speak. */
export interface Naming {
  readonly rules: readonly Ready[]
  readonly byWord: ReadonlyMap<string, readonly Ready[]>
  /** Those of them that may speak whatever the arguments are. */
  readonly open: readonly Ready[]
}

export function namingOf(program: string | null, index: RuleIndex): Naming {
  const rules = rulesNaming(program, index).map(toReady)
  const byWord = new Map<string, Ready[]>()
  const open: Ready[] = []
  for (const ready of rules) {
    const [first] = ready.wants
    if (first === undefined || first.globs.length > 0) open.push(ready)
    else for (const word of first.words) byWord.set(word, [...(byWord.get(word) ?? []), ready])
  }
  return { rules, byWord, open }
}

/** Of the rules that name its program those that may speak of a part, in their order. */
function candidates({ argv }: Invocation, { rules, byWord, open }: Naming): readonly Ready[] {
  let found = open
  for (let i = 1; i < argv.length; i++) {
    const argument = argv[i]
    // One that is not known may be any word.
    if (typeof argument !== 'string') return rules
    const named = byWord.get(argument)
    if (named !== undefined) found = found.length === 0 ? named : merged(found, named)
  }
  return found
}

/** Both in their order, each once. */
function merged(some: readonly Ready[], more: readonly Ready[]): readonly Ready[] {
  const all: Ready[] = []
  for (let i = 0, j = 0; i < some.length || j < more.length; ) {
    const one = some[i]
    const other = more[j]
    const isFirst = other === undefined || (one !== undefined && one.place <= other.place)
    if (one !== undefined && isFirst) {
      all.push(one)
      i++
      if (one === other) j++
    } else if (other !== undefined) {
      all.push(other)
      j++
    }
  }
  return all
}

/** Of the rules that name its program, those that speak of a part. */
export function rulesFor(part: Invocation, naming: Naming, tool: ToolName): readonly Rule[] {
  if (naming.rules.length === 0) return NO_RULES
  const asked = candidates(part, naming)
  let found: Rule[] | null = null
  for (let i = 0; i < asked.length; i++) {
    const ready = asked[i] as Ready
    if (!speaksOf(ready, part, tool)) continue
    found ??= []
    found.push(ready.rule)
  }
  return found ?? NO_RULES
}

export const toMatch = (rule: Rule, part: Pick<Invocation, 'span' | 'program'>): RuleMatch =>
  match(rule.id, rule.verdict, part.span, rule.because, { instead: rule.instead, program: part.program })

/** Rules over the action string of the whole request. In favour only where the pattern is the request itself, letter by letter. */
export function requestRules({ command, text }: DecideInput, actions: readonly Rule[]): readonly Rule[] {
  if (actions.length === 0) return NO_RULES
  const tool = toolOf(command)
  return actions.filter(({ action, verdict, program, args }) => {
    if (action === null || program !== null || args.length > 0) return false
    return (verdict === 'allow' ? actionPermitsText : actionForbidsText)(action, tool, text)
  })
}
