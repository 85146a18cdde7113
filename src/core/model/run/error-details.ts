import type { Decision } from '../policy/decision.js'
import type { Result } from './result.js'

/** Details of a refusal: the rules that spoke, and the answer of a person where one was asked. */
export interface RefusalDetails {
  readonly decision?: Decision
  readonly answer?: string
  readonly result?: Result
}

/** Details of a command that ran and failed, for `mustSucceed`. */
export interface FailureDetails {
  readonly result?: Result
}

/** The position of a mistake in a settings file. Settings given in code have no line. */
export interface SettingsDetails {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly path?: readonly (string | number)[]
}

declare module '../basics/errors.js' {
  interface HeldDetails {
    readonly decision?: Decision
  }
  interface SharedDetails {
    readonly results?: readonly Result[]
  }
  interface ErrorDetailsOf {
    COMMAND_BLOCKED: RefusalDetails
    POLICY_DENIED: RefusalDetails
    PATH_NOT_ALLOWED: RefusalDetails
    SHELL_DISABLED: RefusalDetails
    TIMED_OUT: FailureDetails
    CANCELLED: FailureDetails
    LIMIT_EXCEEDED: FailureDetails
    COMMAND_FAILED: FailureDetails
    AUDIT_UNAVAILABLE: FailureDetails
    SETTINGS_INVALID: SettingsDetails
  }
}
