import type { Relay, Stream } from '../../core/model/basics/relay.js'
import type { Approval } from '../../core/model/policy/approval.js'
import type { Decision } from '../../core/model/policy/decision.js'
import type { Capabilities, Grant, Plan } from '../../core/model/policy/plan.js'
import type { Profile, Rule } from '../../core/model/policy/profile.js'
import type {
  AuditQuery,
  AuditRecord,
  AuditVerification,
  Ended,
  Intent,
  VerifyOptions,
} from '../../core/model/run/audit.js'
import type { FileDiff, TransactionRecord } from '../../core/model/run/change.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import type { Answers, Question } from '../../core/model/run/facts.js'
import type { Result, TransactionReport } from '../../core/model/run/result.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import type { Filter } from '../../core/present/filters/filter.js'

/** Reads profiles. Throws SETTINGS_INVALID for a wrong file and NOT_FOUND for an unknown name. */
export interface Profiles {
  /** The profile in force for an agent; `name` is what the caller asked for and can only be one the settings allow. */
  profileFor(agent: string | null, name: string | null): Profile
  list(): readonly { readonly name: string; readonly summary: string; readonly source: string }[]
}

/** Eyes on the host. Synchronous: it answers a few stat calls, and `check` is synchronous. Never writes. */
export interface Observer {
  /** `surroundings`: those of the command the questions are about, whose private directories are looked into. */
  answer(questions: readonly Question[], surroundings?: HostContext): Answers
  /**
   * Tells one version of a file from another: changes whenever it is written or replaced. Null when nothing is there.
   */
  identity(path: string): string | null
  /** `denied`: programs that the sandbox masks at every path on this host. */
  surroundings(profile: Profile, denied?: readonly string[], agent?: string | null): HostContext
  /**
   * The working directory, resolved through symlinks and inside the profile's roots. Throws DIRECTORY_NOT_FOUND,
   * NOT_A_DIRECTORY or PATH_NOT_ALLOWED, each with its own sentence (a link out of the roots is told apart).
   */
  directory(cwd: string | null, profile: Profile): string
}

/** A question to a person: the plan that would run, and the reason it is held. */
export interface ApprovalRequest {
  readonly plan: Plan
  readonly decision: Decision
  /** The command as people read it. */
  readonly text: string
  /** An approval given earlier, which the caller now wants to use. */
  readonly approval: string | null
  /** The rule `always` would save, or null. */
  readonly rule: Rule | null
  /** Scripts that were read, whose text is approved with the command. */
  readonly scripts: Approval['scripts']
  /** The time limits for an answer, and for the run after an approval. */
  readonly approvals: Profile['approvals']
  readonly signal: AbortSignal
}

/**
 * Grants permission to run, also by an earlier approval of the same plan. `approve` throws CONFIRMATION_REQUIRED
 * (details.approval is the pending one), APPROVAL_INVALID or POLICY_DENIED.
 */
export interface Approver {
  approve(request: ApprovalRequest): Promise<Grant>
  list(): readonly Approval[]
  /** `note`: words for the one who asked. `session`: the same plan runs again, as long as this approver lives. */
  answer(id: string, verdict: 'approved' | 'session' | 'denied', note?: string): Approval
}

export interface RunningProcess {
  /** Pid on the host of the command, or of the init of its namespace: killing it ends the whole tree. */
  readonly pid: number
  write(text: string): void
  endInput(): void
  /** Sends SIGINT to every process of the command, as Ctrl-C at a terminal does. Returns whether there was one. */
  interrupt(): boolean
}

export interface LaunchIo {
  /** `closed`: reads see the end at once. `open`: the caller writes through RunningProcess. `connect`: see Relay. */
  readonly stdin: 'closed' | 'open' | { readonly text: string } | { readonly connect: NonNullable<Relay['stdin']> }
  /** Sends both outputs through one pipe; all of it arrives as stdout. */
  readonly merged?: boolean
  readonly signal: AbortSignal
  /**
   * Reading pauses while the returned promise is pending; false closes the stream, so that the command gets SIGPIPE.
   */
  onChunk(stream: Stream, bytes: Uint8Array): unknown
  onStart(process: RunningProcess): void
  /** Called for each thing that the sandbox stopped or moved away. */
  onEvidence?(evidence: Evidence): void
}

/**
 * Starts what a plan says, and enforces it or refuses (SANDBOX_UNAVAILABLE); START_FAILED when the host would not
 * start it. When the promise settles nothing of the command is running: timeouts, cancellation and a main process
 * that leaves children behind all end in the death of the whole tree. Output arriving before the ending is delivered
 * before it.
 */
export interface Launcher {
  /** Looks up the installed programs. The first launch or `cordon doctor` finds out if they work on this host. */
  probe(): Capabilities
  launch(plan: Plan, io: LaunchIo): Promise<Ending>
  /** Prepares for a launch soon, with a plan that differs only in command and directory. */
  prepare?(plan: Plan): void
  close(): Promise<void>
}

/** Secures the state a command can touch, runs it, and keeps or rolls back its changes. */
export interface Transactions {
  during(
    plan: Plan,
    grant: Grant,
    launch: (plan: Plan) => Promise<Ending>,
    /** Names the transaction. Absent: it gets an id of its own. */
    request?: { readonly id: string; readonly text: string },
  ): Promise<{
    readonly ending: Ending
    readonly report: TransactionReport | null
    /** The changes that were not kept because of what they would do. */
    readonly evidence?: readonly Evidence[]
  }>
  /** Settles when nothing is left to be tidied up. */
  close?(): Promise<void>
}

/** The outcome of keeping, discarding or undoing. With conflicts nothing was changed, and both versions are kept. */
export interface Settlement {
  /** The record to look at, and to undo: for an undo a new one. */
  readonly record: TransactionRecord
  readonly conflicts: readonly string[]
}

/** Which past transactions are meant. */
export interface HistoryQuery {
  /** Default: `here()`. Null: those of every workspace. */
  readonly workspace?: string | null | undefined
  /** Default: 50. */
  readonly limit?: number | undefined
}

/**
 * Past transactions. Each takes an id or a beginning that no other has, throws NOT_FOUND for one there is none of, and
 * INVALID_ARGUMENTS with the candidates where there are several. `paths`: only these and what is below them.
 */
export interface PastTransactions {
  /** The workspace one is in: the engine's own, or the one around it that commands of the same project ran in. */
  here(): string
  /** Newest first. */
  history(query?: HistoryQuery): readonly TransactionRecord[]
  get(id: string): TransactionRecord
  diff(id: string, paths?: readonly string[]): readonly FileDiff[]
  /** Takes back what a transaction changed, as a transaction of its own that can be undone in turn. */
  undo(id: string, paths?: readonly string[]): Promise<Settlement>
  /** Ends the wait for review. */
  settle(id: string, verdict: 'keep' | 'discard', paths?: readonly string[]): Promise<Settlement>
  /** Finishes what processes that died left behind: each tree is then exactly before or exactly after. */
  recover(): Promise<readonly TransactionRecord[]>
}

/** The full output of a run, on disk, for those who ask to keep it. */
export interface Outputs {
  open(id: string): OutputSink
  /** Bytes `[from, to)` of a stream. Throws NOT_FOUND. */
  read(
    id: string,
    stream: Stream,
    from: number,
    to: number,
  ): Promise<{ readonly text: string; readonly totalBytes: number }>
}

export interface OutputSink {
  write(stream: Stream, bytes: Uint8Array): void
  close(): Promise<void>
}

/**
 * The record. `began` returns only when the intent is durable against the death of this process; AUDIT_UNAVAILABLE
 * stops the request. `ended` without `began` never happens: a refused request has both, written together.
 */
export interface Audit {
  began(intent: Intent): void
  /** `result`: of a command that ran, for those who are told more than is recorded. */
  ended(ended: Ended, result?: Result): void
  /** Intent and ending of a request that started nothing. */
  refused(intent: Intent, ended: Ended): void
  query(query: AuditQuery): readonly AuditRecord[]
  /** All that fit (`limit`: that many), oldest first; never all in memory. Records begun meanwhile may be missing. */
  records(query: AuditQuery): Iterable<AuditRecord>
  verify(options?: VerifyOptions): AuditVerification
  close(): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** One structured line. Fields are already masked and shortened by the engine. */
export type Log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void

/** The ports that decide and record a request, without those that run it. */
export interface DecidingPorts {
  readonly profiles: Profiles
  /** The program chose the profile, so a request may change it either way. Default: a request can only tighten. */
  readonly mayLoosen?: boolean
  readonly observer: Observer
  readonly approver: Approver
  readonly launchers: { readonly bubblewrap: Pick<Launcher, 'probe'> }
  readonly audit: Audit
  readonly log: Log
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  /** SHA-256 of a text, in hexadecimal. */
  readonly sha256: (text: string) => string
}

export interface Ports extends DecidingPorts {
  /** Output filters of the program, before those of Cordon. */
  readonly filters?: readonly Filter[]
  readonly launchers: { readonly bubblewrap: Launcher; readonly none: Launcher }
  readonly transactions: Transactions & PastTransactions
  readonly outputs: Outputs
}
