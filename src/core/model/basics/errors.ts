import * as z from 'zod'

type Row = {
  /** Exit status of the command line. */
  readonly exit: number
  readonly http: number
  readonly category: 'invalid-input' | 'policy-blocked' | 'needs-approval' | 'permanent' | 'transient' | 'internal'
  /**
   * The party that must act: the caller, the owner of the policy, the owner of the host, or the author of the
   * command.
   */
  readonly domain: 'request' | 'policy' | 'host' | 'command'
  readonly phase:
    | 'normalise'
    | 'analyse'
    | 'decide'
    | 'plan'
    | 'approve'
    | 'transaction'
    | 'launch'
    | 'run'
    | 'audit'
    | 'settings'
  readonly say: string
}

const INVALID = { exit: 125, category: 'invalid-input', domain: 'request' } as const
const BLOCKED = { exit: 126, http: 403, category: 'policy-blocked', domain: 'policy' } as const
const HELD = { exit: 123, http: 409, category: 'needs-approval' } as const
const HOST = { exit: 125, category: 'permanent', domain: 'host' } as const

/** The closed table of everything that can go wrong. Codes are never reused. `docs/errors.md` lists exactly these. */
export const ERRORS = {
  INVALID_ARGUMENTS: { ...INVALID, http: 400, phase: 'normalise', say: 'the request is not valid' },
  DIRECTORY_NOT_FOUND: { ...INVALID, http: 404, phase: 'normalise', say: 'the working directory does not exist' },
  NOT_A_DIRECTORY: { ...INVALID, http: 400, phase: 'normalise', say: 'the working directory is not a directory' },
  PATH_NOT_ALLOWED: { ...BLOCKED, phase: 'normalise', say: 'the path is outside the allowed roots' },
  SHELL_DISABLED: { ...BLOCKED, phase: 'normalise', say: 'this mode is off' },
  PROGRAM_NOT_FOUND: {
    exit: 127,
    http: 404,
    category: 'permanent',
    domain: 'request',
    phase: 'launch',
    say: 'the program was not found',
  },
  PROGRAM_NOT_EXECUTABLE: {
    exit: 126,
    http: 403,
    category: 'permanent',
    domain: 'request',
    phase: 'launch',
    say: 'the file is not executable',
  },
  COMMAND_BLOCKED: { ...BLOCKED, phase: 'decide', say: 'Command not allowed' },
  POLICY_DENIED: { ...BLOCKED, phase: 'decide', say: 'the profile does not allow this' },
  CONFIRMATION_REQUIRED: { ...HELD, domain: 'policy', phase: 'approve', say: 'a person must approve this first' },
  APPROVAL_INVALID: { ...HELD, domain: 'request', phase: 'approve', say: 'the approval does not match this request' },
  SANDBOX_UNAVAILABLE: { ...HOST, http: 503, phase: 'plan', say: 'this host cannot enforce the plan' },
  SNAPSHOT_FAILED: {
    ...HOST,
    http: 503,
    phase: 'transaction',
    say: 'the files that the command can change could not be snapshotted',
  },
  START_FAILED: {
    exit: 125,
    http: 500,
    category: 'transient',
    domain: 'host',
    phase: 'launch',
    say: 'the command could not be started',
  },
  TIMED_OUT: { exit: 124, http: 504, category: 'transient', domain: 'command', phase: 'run', say: 'Command timed out' },
  CANCELLED: {
    exit: 130,
    http: 499,
    category: 'transient',
    domain: 'request',
    phase: 'run',
    say: 'cancelled by the caller',
  },
  LIMIT_EXCEEDED: {
    exit: 137,
    http: 422,
    category: 'permanent',
    domain: 'command',
    phase: 'run',
    say: 'killed by a limit',
  },
  COMMAND_FAILED: {
    exit: 1,
    http: 422,
    category: 'permanent',
    domain: 'command',
    phase: 'run',
    say: 'the command failed',
  },
  TOO_BUSY: {
    exit: 125,
    http: 429,
    category: 'transient',
    domain: 'request',
    phase: 'launch',
    say: 'too many commands are waiting',
  },
  NOT_FOUND: { ...INVALID, http: 404, phase: 'normalise', say: 'the named object does not exist' },
  AUDIT_UNAVAILABLE: { ...HOST, http: 503, phase: 'audit', say: 'the audit log cannot be written, so no command runs' },
  SETTINGS_INVALID: { ...HOST, http: 500, phase: 'settings', say: 'the settings are not valid' },
  INTERNAL: { exit: 125, http: 500, category: 'internal', domain: 'host', phase: 'run', say: 'a defect in Cordon' },
} as const satisfies Record<string, Row>

export const ErrorCode = z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS, ...(keyof typeof ERRORS)[]])
export type ErrorCode = keyof typeof ERRORS

/** An error as every surface reports it. */
export const ErrorInfo = z.strictObject({
  code: ErrorCode,
  category: z.string(),
  domain: z.string(),
  phase: z.string(),
  message: z.string(),
})
export type ErrorInfo = z.infer<typeof ErrorInfo>

/** A pending approval, as every surface names it. */
export interface ApprovalRef {
  readonly id: string
  /** ISO 8601. */
  readonly expires: string
}

/** Data of an error, so that a caller need not parse the message. */
export interface ErrorDetails {
  readonly [key: string]: unknown
}

/** Details of a held command. */
export interface HeldDetails {
  readonly approval?: ApprovalRef
  /** The digest of the plan that was decided. */
  readonly digest?: string
}

/** Details by code. `error-details.ts` adds those that need types of higher rooms. */
export interface ErrorDetailsOf {
  CONFIRMATION_REQUIRED: HeldDetails
}

/** Details that an error of any code can have: the results before it, of a call that runs several commands. */
export interface SharedDetails extends ErrorDetails {
  readonly summary?: string
  readonly next?: number | null
}

/** Another name of a code, as callers think of it. */
const ALSO_CALLED = { APPROVAL_REQUIRED: 'CONFIRMATION_REQUIRED' } as const
type NamedCode = ErrorCode | keyof typeof ALSO_CALLED
type CodeOf<Name extends NamedCode> = Name extends keyof typeof ALSO_CALLED ? (typeof ALSO_CALLED)[Name] : Name

/** A CordonError of one code, with its details. */
export type CordonErrorOf<Code> = CordonError & {
  readonly code: Code
  readonly details: SharedDetails & (Code extends keyof ErrorDetailsOf ? ErrorDetailsOf[Code] : unknown)
}

/** The only error type that Cordon throws. `message` says what is wrong and what to do. */
export class CordonError extends Error {
  override readonly name = 'CordonError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  /** Narrows the error to one code and its details. `APPROVAL_REQUIRED` is another name of `CONFIRMATION_REQUIRED`. */
  is<Name extends NamedCode>(code: Name): this is CordonErrorOf<CodeOf<Name>> {
    return this.code === (code === 'APPROVAL_REQUIRED' ? ALSO_CALLED.APPROVAL_REQUIRED : code)
  }

  get exit(): number {
    return ERRORS[this.code].exit
  }

  get info(): ErrorInfo {
    return errorInfo(this.code, this.message)
  }
}

export function errorInfo(code: ErrorCode, message: string, over: { category?: string } = {}): ErrorInfo {
  const { category, domain, phase } = ERRORS[code]
  return { code, category: over.category ?? category, domain, phase, message }
}
