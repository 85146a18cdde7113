import type { RuleMatch } from '../../model/policy/decision.js'
import type { Invocation } from '../../model/run/facts.js'
import { type DecideInput, match } from '../match/input.js'
import { isTrustedName, trustsPath } from '../match/trusted-name.js'

/** Shell words that start no program. Commands of `eval` and similar words are listed separately. */
const SHELL_WORDS = new Set(
  '. : alias bg break builtin caller cd command compgen complete compopt continue coproc declare dirs disown eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

const SHOWN = 12
const show = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`

/** Is the program in the profile's allowlist? Null where there is no such list. */
function isListed(part: Invocation, { command, facts, profile }: DecideInput): boolean | null {
  const list = profile.programs.allowOnly
  if (list === null) return null
  if (part.program === null) return false
  if (command.mode === 'shell' && SHELL_WORDS.has(part.program) && part.argv[0] === part.program) return true
  return list.includes(part.program) && isTrustedName(part) && trustsPath(facts)
}

export function allowlistMatch(part: Invocation, input: DecideInput): RuleMatch | null {
  const listed = isListed(part, input)
  if (listed === null) return null
  const { profile } = input
  const list = profile.programs.allowOnly ?? []
  if (listed)
    return match('profile/allowlist', 'allow', part.span, `The allowlist of profile "${profile.name}" contains it.`, {
      program: part.program,
    })
  const name = part.program === null ? 'a program without a known name' : part.program
  return match(
    'profile/allowlist',
    'deny',
    part.span,
    `Command not allowed: ${name}. It is not on the allowlist of profile "${profile.name}" (${show(list)}).`,
    { program: part.program, instead: 'Use one of these programs.' },
  )
}

/**
 * Denies programs outside the list of the agent. `bash` stands for shell mode; in structured mode every program must be
 * listed.
 */
export function agentMatches({ command, facts, profile, text, agent }: DecideInput): readonly RuleMatch[] {
  const list = profile.agentPrograms
  if (list === null) return []
  const who = agent == null ? 'This agent' : `Agent "${agent}"`
  const deny = (name: string, span: RuleMatch['span']): RuleMatch =>
    match(
      'agent/programs',
      'deny',
      span,
      `Command not allowed: ${name}. ${who} may run ${list.length === 0 ? 'no program' : `only ${show(list)}`}.`,
      { program: name, instead: 'Use one of these programs.' },
    )
  if (command.mode === 'shell') return list.includes('bash') ? [] : [deny('bash', [0, text.length])]
  return facts.invocations
    .filter((part) => !part.implied)
    .filter((part) => part.program === null || !list.includes(part.program) || !isTrustedName(part))
    .map((part) => deny(part.program ?? 'a program without a known name', part.span))
}
