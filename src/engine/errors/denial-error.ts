import { CordonError, type ErrorCode } from '../../core/model/basics/errors.js'
import { remedySentence } from '../../core/model/policy/allow-command.js'
import type { Decision } from '../../core/model/policy/decision.js'

const CODE_BY_PREFIX: readonly (readonly [string, ErrorCode])[] = [
  ['builtin/', 'COMMAND_BLOCKED'],
  ['profile/modes', 'SHELL_DISABLED'],
  ['request/', 'INVALID_ARGUMENTS'],
  ['path/', 'PATH_NOT_ALLOWED'],
]

/** The typed error of a denied request: the first reason in its own words, then what to do instead. */
export function denial(decision: Decision): CordonError {
  const match = decision.because[0]
  if (!match) return new CordonError('POLICY_DENIED', 'The profile does not allow this.', { decision })
  const code = CODE_BY_PREFIX.find(([prefix]) => match.rule.startsWith(prefix))?.[1] ?? 'POLICY_DENIED'
  return new CordonError(
    code,
    [match.reason, match.instead, match.remedy && remedySentence(match.remedy)].filter(Boolean).join(' '),
    { decision },
  )
}
