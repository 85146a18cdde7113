import type { Approval } from '../core/model/approval.js'
import type { AuditQuery, AuditRecord, AuditVerification, Ended, Intent, VerifyOptions } from '../core/model/audit.js'
import type { FileDiff, TransactionRecord } from '../core/model/change.js'
import type { Decision } from '../core/model/decision.js'
import type { Ending } from '../core/model/ending.js'
import type { Stream } from '../core/model/event.js'
import type { Answers, Question } from '../core/model/facts.js'
import type { Capabilities, Grant, Plan } from '../core/model/plan.js'
import type { Profile, Rule } from '../core/model/profile.js'
import type { Relay } from '../core/model/relay.js'
import type { TransactionReport } from '../core/model/result.js'
import type { Surroundings } from '../core/model/surroundings.js'

/** Where profiles come from. Throws SETTINGS_INVALID for a file that is wrong, NOT_FOUND for a name that is not there. */
export interface Profiles {
  /** The profile in force for an agent; `name` is what the caller asked for and can only be one the settings allow. */
  profileFor(agent: string | null, name: string | null): Profile
  list(): readonly { readonly name: string; readonly summary: string; readonly source: string }[]
}

/** Eyes on the host. Synchronous: it answers a few stat calls, and `check` is synchronous. Never writes. */
export interface Observer {
  /** `surroundings`: those of the command the questions are about, whose private directories are looked into. */
  answer(questions: readonly Question[], surroundings?: Surroundings): Answers
  /** Tells one version of a file from another: changes whenever it is written or replaced. Null when nothing is there. */
  identity(path: string): string | null
  /** `denied`: programs the wall masks, wherever they are on this host. */
  surroundings(profile: Profile, denied?: readonly string[], agent?: string | null): Surroundings
  /**
   * The working directory, resolved through symlinks and inside the profile's roots. Throws DIRECTORY_NOT_FOUND,
   * NOT_A_DIRECTORY or PATH_NOT_ALLOWED, each with its own sentence (a link out of the roots is told apart).
   */
  directory(cwd: string | null, profile: Profile): string
}

/** What a person is asked about: the plan that would run and why it is held. */
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
  /** How long it waits for an answer, and runs from a yes on. */
  readonly approvals: Profile['approvals']
  readonly signal: AbortSignal
}

/** Leave to run: also by a yes that a person gave to the same plan before. `approve` throws CONFIRMATION_REQUIRED (details.approval is the pending one's id), APPROVAL_INVALID or POLICY_DENIED. */
export interface Approver {
  approve(request: ApprovalRequest): Promise<Grant>
  list(): readonly Approval[]
  /** `note`: words for the one who asked. */
  answer(id: string, verdict: 'approved' | 'denied', note?: string): Approval
}

export interface RunningProcess {
  /** Pid on the host of the command, or of the init of its namespace: killing it ends the whole tree. */
  readonly pid: number
  write(text: string): void
  endInput(): void
}

export interface LaunchIo {
  /** `closed`: reads see the end at once. `open`: the caller writes through RunningProcess. `connect`: see Relay. */
  readonly stdin: 'closed' | 'open' | { readonly text: string } | { readonly connect: NonNullable<Relay['stdin']> }
  /** Sends both outputs through one pipe; all of it arrives as stdout. */
  readonly merged?: boolean
  readonly signal: AbortSignal
  /** Reading pauses while the returned promise is pending; false closes the stream, so that the command gets SIGPIPE. */
  onChunk(stream: Stream, bytes: Uint8Array): unknown
  onStart(process: RunningProcess): void
  /** One thing that the sandbox stopped or moved away: `exec: sudo masked`. */
  onEvidence?(line: string): void
}

/**
 * Starts what a plan says, and enforces it or refuses (SANDBOX_UNAVAILABLE); START_FAILED when the host would not start it.
 * When the promise settles nothing of the command is running: timeouts, cancellation and a main process that leaves
 * children behind all end in the death of the whole tree. Output arriving before the ending is delivered before it.
 */
export interface Launcher {
  /** Cheap: what is installed. Whether it works here is found out by the first launch, or by `cordon doctor`. */
  probe(): Capabilities
  launch(plan: Plan, io: LaunchIo): Promise<Ending>
  /** A command will soon be launched whose plan is like this one but for what is run, and where: what can be readied is. */
  prepare?(plan: Plan): void
  close(): Promise<void>
}

/** Secures the state a command can touch, runs it, and keeps or takes back what it did. */
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
    /** One line for each change that was not kept because of what it would do. */
    readonly evidence?: readonly string[]
  }>
  /** Settles when nothing is left to be tidied up. */
  close?(): Promise<void>
}

/** What came of keeping, discarding or undoing. With conflicts nothing was changed, and both versions are still there. */
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
 * The record. `began` returns only when the intent is durable against the death of this process; AUDIT_UNAVAILABLE stops
 * the request. `ended` without `began` never happens: a refused request has both, written together.
 */
export interface Audit {
  began(intent: Intent): void
  ended(ended: Ended): void
  /** Intent and ending of a request that started nothing. */
  refused(intent: Intent, ended: Ended): void
  query(query: AuditQuery): readonly AuditRecord[]
  verify(options?: VerifyOptions): AuditVerification
  close(): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** One structured line. Fields are already masked and shortened by the engine. */
export type Log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void

export interface Ports {
  readonly profiles: Profiles
  readonly observer: Observer
  readonly approver: Approver
  readonly transactions: Transactions & PastTransactions
  readonly launchers: { readonly bubblewrap: Launcher; readonly none: Launcher }
  readonly outputs: Outputs
  readonly audit: Audit
  readonly log: Log
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  /** SHA-256 of a text, in hexadecimal. */
  readonly sha256: (text: string) => string
}
