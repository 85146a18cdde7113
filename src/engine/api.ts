import type { Complaint } from '../core/decide/lint-rules.js'
import type { Approval } from '../core/model/approval.js'
import type { AuditQuery, AuditRecord, AuditVerification, VerifyOptions } from '../core/model/audit.js'
import type { Decision, RuleMatch, Verdict } from '../core/model/decision.js'
import type { ErrorInfo } from '../core/model/errors.js'
import type { OnEvent, Stream } from '../core/model/event.js'
import type { Facts } from '../core/model/facts.js'
import type { Capabilities, OnFailure, Plan } from '../core/model/plan.js'
import type { Profile, Rule } from '../core/model/profile.js'
import type { Relay } from '../core/model/relay.js'
import type { Caller } from '../core/model/request.js'
import type { Result } from '../core/model/result.js'

import type { PastTransactions } from './ports.js'
import type { Replay } from './replay.js'

/** A script for bash, or a program with its arguments. */
export type CommandInput = string | { readonly program: string; readonly args?: readonly string[] }

export interface RunOptions {
  /** Who asks. Absent: the caller's own default profile, and that is logged. */
  readonly agent?: string | undefined
  readonly profile?: string | undefined
  readonly cwd?: string | undefined
  /** Milliseconds, clamped to [1 s, the profile's maximum]; `none` only if the profile allows it. */
  readonly timeoutMs?: number | 'none' | undefined
  readonly stdin?: string | undefined
  /** Connects the command to the caller's own streams, byte for byte. Excludes `stdin`. */
  readonly relay?: Relay | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnEvent | undefined
  /** Keep the full output on disk, to be read back in ranges with `logs`. */
  readonly keepOutput?: boolean | undefined
  /** Hold the changes for `transactions.settle`, whatever the profile does with them; refused where they cannot be held. */
  readonly review?: boolean | undefined
  /** Keep or restore the changes of a command that fails, whatever the profile says. For code and people; tools do not offer it. */
  readonly onFailure?: OnFailure | undefined
  /** Cut noise by per-command filters. Default: yes; a person who reads the output as it is says no. */
  readonly filters?: boolean | undefined
  /** The id of a granted approval. */
  readonly approval?: string | undefined
  readonly caller?: Caller | undefined
}

/** What a command would do and what the profile says of it. Nothing is run. */
export interface CheckResult {
  readonly verdict: Verdict
  readonly because: readonly RuleMatch[]
  readonly decision: Decision
  readonly facts: Facts
  /** Null where the verdict is deny or the host cannot enforce the plan (`unenforceable` says why). */
  readonly plan: Plan | null
  readonly unenforceable: ErrorInfo | null
  /** The narrowest rule that would allow what is asked about; null where there is none or nothing is asked. */
  readonly rule: Rule | null
  readonly text: string
}

/** A command nobody waits for. */
export interface Task {
  readonly id: string
  readonly agent: string | null
  readonly command: string
  readonly startedAt: number
  /** Settles when the command ended; rejects with a CordonError when it was refused. */
  readonly result: Promise<Result>
  /** Returns output from a byte offset on; `next` is the offset of the following call. Counts skipped bytes past the capture limit. */
  logs(stream: Stream, offset: number): { readonly text: string; readonly next: number; readonly skippedBytes: number }
  /** Sends text to standard input. */
  input(text: string): void
  /** Closes standard input. */
  endInput(): void
  stop(): Promise<Result>
}

export interface TaskInfo {
  readonly id: string
  readonly agent: string | null
  readonly command: string
  readonly state: 'waiting' | 'running' | 'ended'
  readonly startedAt: number
  readonly pid: number | null
  readonly background: boolean
}

export interface Status {
  readonly running: number
  readonly waiting: number
  readonly agents: readonly {
    readonly agent: string | null
    readonly running: number
    readonly waiting: number
    readonly ceiling: number
  }[]
  readonly sandbox: Capabilities
}

export interface MarkdownOutcome {
  readonly blocks: number
  readonly results: readonly Result[]
  readonly summary: string
}

/** The engine as every surface sees it. */
export interface Engine {
  run(command: CommandInput, options?: RunOptions): Promise<Result>
  check(command: CommandInput, options?: RunOptions): CheckResult
  /** In order, stopping at the first failure; every result so far is returned. */
  sequence(commands: readonly CommandInput[], options?: RunOptions): Promise<readonly Result[]>
  /** A non-zero exit, timeout or cancel becomes a CordonError that carries the result in `details.result`. */
  mustSucceed(command: CommandInput, options?: RunOptions): Promise<Result>
  /** Runs every fenced bash block of a model's reply in order. No block: null, and nothing is run. */
  runMarkdown(reply: string, options?: RunOptions): Promise<MarkdownOutcome | null>
  start(command: CommandInput, options?: RunOptions): Task
  readonly tasks: {
    list(agent?: string | null): readonly TaskInfo[]
    get(id: string): Task
  }
  status(): Status
  /** Ends every running and waiting command of an agent; says how many there were. */
  endAgent(agent: string): Promise<number>
  /** What past commands changed: shown, kept, taken back. */
  readonly transactions: PastTransactions
  readonly approvals: {
    /** Newest first, with their state. */
    list(): readonly Approval[]
    /** The first answer wins. Takes an id or a unique beginning; `note` reaches the one who asked. */
    answer(id: string, verdict: 'approved' | 'denied', note?: string): Approval
  }
  readonly audit: {
    query(query?: AuditQuery): readonly AuditRecord[]
    verify(options?: VerifyOptions): AuditVerification
  }
  /** Reads a range of bytes of the output that `keepOutput` kept. */
  logs(
    id: string,
    stream: Stream,
    from: number,
    to: number,
  ): Promise<{ readonly text: string; readonly totalBytes: number }>
  readonly profiles: {
    list(): readonly { readonly name: string; readonly summary: string; readonly source: string }[]
    get(name: string | null, agent?: string | null): Profile
    /** Rules that can never decide, contradict each other, or allow everything by accident. */
    lint(name: string | null, agent?: string | null): readonly Complaint[]
    /** Decides the record's requests again under both and lists the verdicts that change. */
    replay(before: string, after: string, query?: AuditQuery): Replay
  }
  close(): Promise<void>
}
