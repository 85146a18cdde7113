import type { RuleMatch } from '../../model/policy/decision.js'
import type { Rule } from '../../model/policy/profile.js'
import { shellWord } from '../../model/run/display.js'
import type { Facts, Invocation } from '../../model/run/facts.js'
import { ownerAt } from '../match/code-owner.js'
import { escapeGlob } from '../match/glob.js'
import { PASSES_ON } from '../match/over-broad.js'
import { isTrustedName } from '../match/trusted-name.js'

/** Questions an allow rule can answer; paths, variables, hidden code and rules people wrote are not among them. */
const LIFTED = /^(?:effect\/|default$|opaque\/foreign$)/

function wordsOf({ program, argv }: Invocation): readonly [string, ...string[]] | null {
  const args = argv.slice(1)
  if (program === null || PASSES_ON.has(program) || !args.every((arg) => typeof arg === 'string')) return null
  return [program, ...args]
}

/** Interpreters without a file run what they are sent, which is another thing each time. */
const READS_INPUT = /^(?:python\d?|perl|ruby|node|php|lua)$/

/** Names that need no quotes: the rule is written as the command is, and is read again when the settings are loaded. */
const PLAIN_NAME = /^(?:\[|[\w@%+.,:-]+)$/
const RESERVED = new Set(
  'if then else elif fi do done case esac while until for in function time coproc select'.split(' '),
)

/** Invisible characters and characters that change the text direction. A rule with them could mislead a person. */
const INVISIBLE = /(?![\n\t ])[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u

function ruleFor(part: Invocation): Rule | null {
  const words = wordsOf(part)
  if (!words || !isTrustedName(part)) return null
  const [program, ...args] = words
  if (!PLAIN_NAME.test(program) || RESERVED.has(program)) return null
  if (args.some((arg) => INVISIBLE.test(arg))) return null
  if (READS_INPUT.test(program) && args.every((arg) => arg.startsWith('-'))) return null
  const command = [program, ...args.map(shellWord)].join(' ')
  return {
    id: `always/${command}`,
    program: null,
    args: [],
    action: `tool:*:${escapeGlob(command)}`,
    verdict: 'allow',
    because: `A person always allows \`${command}\`.`,
    instead: null,
    hits: [command],
    misses: [`${command} more`],
  }
}

/** The part a question is about. Foreign code is that of the program which brings it. */
function askedOf({ rule, span, program }: RuleMatch, parts: readonly Invocation[]): Invocation | undefined {
  if (rule === 'opaque/foreign') return ownerAt(span, parts)
  return parts.findLast((part) => part.program === program && span[0] >= part.span[0] && span[1] <= part.span[1])
}

/**
 * Returns the narrowest rule that would have allowed the command: this one command with exactly these arguments. Null
 * if no rule can help or every rule would grant too much. `because` are the questions. Without them, the facts must
 * hold a single command.
 */
export function narrowRule(facts: Facts, because?: readonly RuleMatch[]): Rule | null {
  if (facts.opaque.some(({ kind }) => kind === 'unknown')) return null
  const parts = facts.invocations.filter(({ implied }) => !implied)
  if (because === undefined) {
    const only = parts.length === 1 ? parts[0] : undefined
    return only ? ruleFor(only) : null
  }
  if (!because.every(({ rule }) => LIFTED.test(rule))) return null
  const asked = because.map((question) => askedOf(question, parts))
  const rules = asked.map((part) => (part ? ruleFor(part) : null))
  const [first, ...rest] = rules
  return first && rest.every((rule) => rule?.action === first.action) ? first : null
}
