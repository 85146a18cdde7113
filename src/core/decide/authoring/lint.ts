import type { Profile, Rule } from '../../model/policy/profile.js'
import { BUILTINS } from '../denials/index.js'
import { splitAction } from '../match/action-pattern.js'
import { globMatches } from '../match/glob.js'
import { isOverBroad, OVER_BROAD } from '../match/over-broad.js'

/** One mistake in the rules of a profile. */
export interface LintWarning {
  readonly rule: string
  readonly kind: 'over-broad' | 'contradictory' | 'unreachable' | 'duplicate'
  readonly message: string
}

const ORDER = { deny: 2, ask: 1, allow: 0 } as const

const alternatives = (wanted: Rule['args'][number]): readonly string[] =>
  typeof wanted === 'string' ? [wanted] : wanted

/** Reports whether every argument list that fits `inner` also fits `outer`. False if that is not certain. */
function argsInclude(outer: Rule['args'], inner: Rule['args']): boolean {
  let found = 0
  for (const wanted of inner) {
    const want = outer[found]
    if (
      want !== undefined &&
      alternatives(wanted).every((one) => alternatives(want).some((pattern) => globMatches(pattern, one)))
    )
      found++
  }
  return found === outer.length
}

const programsInclude = (outer: Rule['program'], inner: Rule['program']): boolean =>
  outer === null || (inner?.every((name) => outer.some((pattern) => globMatches(pattern, name))) ?? false)

/** Does every action that fits `inner` fit `outer`? Certain only where `inner` is one command. */
function actionIncludes(outer: string | null, inner: string | null): boolean {
  if (outer === null || outer === inner) return true
  const [over, under] = [splitAction(outer), inner === null ? null : splitAction(inner)]
  if (over === null || under === null || /[*?\\]/.test(under[1])) return false
  return (over[0] === '*' || over[0] === under[0]) && globMatches(over[1], under[1])
}

const PLAIN_WORDS = /^[\w@%+.,:/=-]+(?: [\w@%+.,:/=-]+)*$/

/** A rule over one command, as a rule over a program and its arguments. */
function inWords(rule: Rule): Rule {
  const command = rule.action === null || rule.program !== null ? null : splitAction(rule.action)
  if (command === null || command[0] !== '*' || !PLAIN_WORDS.test(command[1])) return rule
  const [program = '', ...args] = command[1].split(' ')
  return { ...rule, program: [program], args }
}

/** Reports whether `outer` matches every command that `inner` matches. */
const includes = (outer: Rule, inner: Rule): boolean =>
  programsInclude(outer.program, inner.program) &&
  argsInclude(outer.args, inner.args) &&
  actionIncludes(outer.action, inner.action)

/** Recognises entries of a permission list. One that a wider entry with the same verdict covers is redundant. */
const isEntry = ({ id }: Rule): boolean => id.startsWith('permissions/')

const same = (a: Rule, b: Rule): boolean =>
  JSON.stringify([a.program, a.args, a.action]) === JSON.stringify([b.program, b.args, b.action])

/** Returns the words that an allow rule allows with any arguments after them, or an empty list if it ends itself. */
function openWords(rule: Rule): readonly string[][] {
  if (rule.action !== null) {
    const command = splitAction(rule.action)?.[1] ?? ''
    return command.endsWith('*') ? [command.slice(0, -1).trim().split(/\s+/).filter(Boolean)] : []
  }
  const args = rule.args.map((wanted) => alternatives(wanted)[0] ?? '')
  return (rule.program ?? ['*']).map((name) => [name, ...args])
}

function overBroad(rule: Rule): readonly LintWarning[] {
  if (rule.verdict !== 'allow') return []
  const words = openWords(rule).find(([program, ...args]) => {
    if (program === undefined || /^\*/.test(program)) return true
    return (
      isOverBroad(program, args) || [...OVER_BROAD].some((name) => /[*?]/.test(program) && globMatches(program, name))
    )
  })
  if (!words) return []
  const what = words.join(' ') || '*'
  return [
    {
      rule: rule.id,
      kind: 'over-broad',
      message: `Allowing \`${what}\` with any arguments allows every command. Name the commands it may run.`,
    },
  ]
}

function againstOthers(rule: Rule, index: number, rules: readonly Rule[]): readonly LintWarning[] {
  const other = rules.find((other, i) => i < index && same(other, rule))
  if (other) {
    return [
      other.verdict === rule.verdict
        ? { rule: rule.id, kind: 'duplicate', message: `It repeats the rule "${other.id}". Remove one of them.` }
        : {
            rule: rule.id,
            kind: 'contradictory',
            message: `Its verdict is ${rule.verdict}, that of the rule "${other.id}" is ${other.verdict}; the stricter one wins. Remove one of them.`,
          },
    ]
  }
  const around = rules.filter((other) => other !== rule && !same(other, rule) && includes(other, inWords(rule)))
  const over = around.find(({ verdict }) => ORDER[verdict] > ORDER[rule.verdict])
  if (over)
    return [
      {
        rule: rule.id,
        kind: 'unreachable',
        message: `The rule "${over.id}" already decides every command it covers (${over.verdict}). Remove it, or narrow the other rule.`,
      },
    ]
  const wider = isEntry(rule) && around.find((other) => other.verdict === rule.verdict && isEntry(other))
  return wider
    ? [
        {
          rule: rule.id,
          kind: 'duplicate',
          message: `The rule "${wider.id}" already decides every command it covers (${rule.verdict}). Remove it.`,
        },
      ]
    : []
}

function againstProfile(rule: Rule, { builtins, programs }: Profile): readonly LintWarning[] {
  if (rule.verdict !== 'allow' || rule.program === null) return []
  const names = rule.program
  const denied = BUILTINS.find(
    (builtin) =>
      !builtin.refuses &&
      !builtins.removed.includes(builtin.name) &&
      names.every((name) => builtin.programs?.includes(name)),
  )
  if (denied) {
    return [
      {
        rule: rule.id,
        kind: 'unreachable',
        message: `The built-in denial "${denied.name}" takes precedence. Add "${denied.name}" to \`builtins.removed\`, or remove the rule.`,
      },
    ]
  }
  const { allowOnly } = programs
  if (allowOnly && !names.some((name) => allowOnly.includes(name))) {
    return [
      {
        rule: rule.id,
        kind: 'unreachable',
        message: `\`programs.allow_only\` of the profile lacks ${names.join(', ')}. Add the program there, or remove the rule.`,
      },
    ]
  }
  return []
}

/** Rules that can never decide anything, that contradict each other, or that allow everything by accident. */
export function lintRules(profile: Profile): readonly LintWarning[] {
  return profile.rules.flatMap((rule, i) => [
    ...overBroad(rule),
    ...againstOthers(rule, i, profile.rules),
    ...againstProfile(rule, profile),
  ])
}
