import { permissionRule } from '../../core/decide/authoring/permission-syntax.js'
import { relaxations } from '../../core/decide/authoring/relaxations.js'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Profile, Rule } from '../../core/model/policy/profile.js'
import type { CheckedOptions } from '../../core/model/run/run-input.js'

type Changes = Pick<
  CheckedOptions,
  'review' | 'transaction' | 'onFailure' | 'clearEnv' | 'stripEnv' | 'blocked' | 'maxOutput'
>

/**
 * Applies what a request changes of its profile. Throws POLICY_DENIED for a change that is looser than the profile,
 * unless the program itself chose the profile (`mayLoosen`).
 */
export function tightenProfile(profile: Profile, options: CheckedOptions, mayLoosen: boolean): Profile {
  const keys = ['review', 'transaction', 'onFailure', 'clearEnv', 'stripEnv', 'blocked', 'maxOutput'] as const
  if (keys.every((key) => options[key] === undefined)) return profile
  const changed = changedBy(profile, options)
  const looser = mayLoosen ? undefined : loosened(profile, changed)
  if (looser === undefined) return changed
  throw new CordonError(
    'POLICY_DENIED',
    `A request can only tighten the profile "${profile.name}": \`${looser.key.join('.')}\` would be looser, because ` +
      `${looser.why}. Remove the option, or give the profile to createCordon.`,
  )
}

function loosened(profile: Profile, changed: Profile): ReturnType<typeof relaxations>[number] | undefined {
  const { presentedChars } = profile.output
  const shown = changed.output.presentedChars
  if (shown > presentedChars)
    return { key: ['output', 'presented_chars'], why: `${shown} is more than ${presentedChars}` }
  return relaxations(profile, changed)[0]
}

function changedBy(profile: Profile, options: Changes): Profile {
  const { clearEnv, stripEnv = [], blocked = [], maxOutput } = options
  const { environment, output } = profile
  return {
    ...profile,
    transaction: transactionOf(profile.transaction, options),
    environment: {
      ...environment,
      pass: clearEnv ? [] : environment.pass,
      set: clearEnv ? [] : environment.set.filter(([name]) => !stripEnv.some((prefix) => name.startsWith(prefix))),
      strip: [...environment.strip, ...stripEnv],
    },
    rules: [...profile.rules, ...blocked.map(blockedRule)],
    output:
      maxOutput === undefined
        ? output
        : { presentedChars: maxOutput, captureBytes: Math.max(output.captureBytes, maxOutput * BYTES_OF_A_CHARACTER) },
  }
}

/** The most bytes that UTF-8 takes for a character that JavaScript counts as one. */
const BYTES_OF_A_CHARACTER = 3

/**
 * A review that cannot hold the changes back would be none; files that are to be restored have to be secured.
 */
function transactionOf(
  transaction: Profile['transaction'],
  { review, transaction: asked, onFailure }: Changes,
): Profile['transaction'] {
  const holds = review === true || asked === 'review'
  const base = asked ?? (onFailure === 'restore' && transaction.mode === 'off' ? 'auto' : transaction.mode)
  return {
    ...transaction,
    mode: holds ? 'review' : base === 'auto' && transaction.mode === 'always' ? 'always' : base,
    onFailure: onFailure ?? transaction.onFailure,
    required: holds || transaction.required,
  }
}

/** `git push` blocks every command that begins with these words; the permission syntax is understood too. */
function blockedRule(entry: string): Rule {
  const isPermission = entry.startsWith('tool:') || /^\w+\(.*\)$/s.test(entry)
  const rule = permissionRule(isPermission ? entry : `Bash(${entry}:*)`, 'deny', `blocked/${entry}`)
  return { ...rule, because: `The request blocks \`${entry}\`.` }
}
