import type { RuleMatch } from '../model/decision.js'
import { buildCommand } from '../model/display.js'
import type { Facts, Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { escapeGlob } from './glob.js'
import { PASSES_ON } from './over-broad.js'
import { isTrustedName } from './trusted-name.js'

/** Questions an allow rule can answer; paths, variables, hidden code and rules people wrote are not among them. */
const LIFTED = /^(?:effect\/|default$|opaque\/foreign$)/

function wordsOf({ program, argv }: Invocation): readonly [string, ...string[]] | null {
  const args = argv.slice(1)
  if (program === null || PASSES_ON.has(program) || !args.every((arg) => typeof arg === 'string')) return null
  return [program, ...args]
}

/** Interpreters without a file run what they are sent, which is another thing each time. */
const READS_INPUT = /^(?:python\d?|perl|ruby|node|php|lua)$/

function ruleFor(part: Invocation): Rule | null {
  const words = wordsOf(part)
  if (!words || !isTrustedName(part)) return null
  const [program, ...args] = words
  if (READS_INPUT.test(program) && args.every((arg) => arg.startsWith('-'))) return null
  const command = buildCommand(program, args)
  return {
    id: `always/${command}`,
    program: null,
    args: [],
    action: `tool:*:${escapeGlob(command)}`,
    verdict: 'allow',
    because: `A person allowed \`${command}\` for good.`,
    instead: null,
    hits: [command],
    misses: [`${command} more`],
  }
}

/** Is the match about this part? Foreign code is inside the part that runs it. */
const concerns = ({ span }: RuleMatch, part: Invocation): boolean => span[0] >= part.span[0] && span[1] <= part.span[1]

/**
 * The narrowest rule that would have allowed what was asked about: that one command, argument for argument, and never a beginning
 * of it. Null where no rule can help or any rule would grant too much. `because` are the questions; without them the facts
 * must hold a single command.
 */
export function narrowRule(facts: Facts, because?: readonly RuleMatch[]): Rule | null {
  if (facts.opaque.some(({ kind }) => kind === 'hidden')) return null
  const parts = facts.invocations.filter(({ implied }) => !implied)
  if (because === undefined) {
    const only = parts.length === 1 ? parts[0] : undefined
    return only ? ruleFor(only) : null
  }
  if (!because.every(({ rule }) => LIFTED.test(rule))) return null
  const asked = because.map((question) => parts.findLast((part) => concerns(question, part)))
  const rules = asked.map((part) => (part ? ruleFor(part) : null))
  const [first, ...rest] = rules
  return first && rest.every((rule) => rule?.action === first.action) ? first : null
}
