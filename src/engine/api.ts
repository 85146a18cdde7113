import type { LintWarning } from '../core/decide/authoring/lint.js'
import type { CordonError, ErrorInfo } from '../core/model/basics/errors.js'
import type { Relay, Stream } from '../core/model/basics/relay.js'
import type { Approval } from '../core/model/policy/approval.js'
import type { Decision, RuleMatch, Verdict } from '../core/model/policy/decision.js'
import type { Capabilities, Grant, OnFailure, Plan } from '../core/model/policy/plan.js'
import type { Profile, Rule } from '../core/model/policy/profile.js'
import type { AuditQuery, AuditRecord, AuditVerification, VerifyOptions } from '../core/model/run/audit.js'
import type { OnEvent } from '../core/model/run/event.js'
import type { Facts } from '../core/model/run/facts.js'
import type { Caller } from '../core/model/run/request.js'
import type { FilterReport, Result } from '../core/model/run/result.js'

import type { PastTransactions } from './ports/ports.js'
import type { Replay } from './replay.js'
import type { StickyVariables } from './sticky-variables.js'
import type { Task, TaskInfo } from './tasks/task.js'

export type { Task, TaskInfo } from './tasks/task.js'

/** A script for bash, or a program with its arguments. */
export type CommandInput = string | { readonly program: string; readonly args?: readonly string[] }

export interface RunOptions {
  /** Names the agent. Absent: the caller's default profile applies, and the log says so. */
  readonly agent?: string | undefined
  readonly profile?: string | undefined
  readonly cwd?: string | undefined
  /** Milliseconds, clamped to [1 s, the profile's maximum]; `none` only if the profile allows it. */
  readonly timeoutMs?: number | 'none' | undefined
  readonly stdin?: string | undefined
  /** Connects the command to the caller's own streams, byte for byte. Excludes `stdin`. */
  readonly relay?: Relay | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Passes on nothing from the environment of Cordon, nor what the profile sets. `env` is still set. */
  readonly clearEnv?: boolean | undefined
  /** Beginnings of names of variables that are not passed on, besides those of the profile. */
  readonly stripEnv?: readonly string[] | undefined
  /** More commands to deny: their first words, or the permission syntax (`Bash(git push:*)`). */
  readonly blocked?: readonly string[] | undefined
  /** Characters of each stream to show, in place of the profile's `output.presented_chars`. */
  readonly maxOutput?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnEvent | undefined
  /** Keep the full output on disk, to be read back in ranges with `logs`. */
  readonly keepOutput?: boolean | undefined
  /** Holds the changes for `transactions.settle` under any profile. Refused where they cannot be held. */
  readonly review?: boolean | undefined
  /** The transaction mode in place of the profile's. `off` only where the profile has it, or the program chose it. */
  readonly transaction?: 'auto' | 'review' | 'off' | undefined
  /** Keeps or restores the changes of a failed command, in place of what the profile says. Tools do not offer it. */
  readonly onFailure?: OnFailure | undefined
  /** Cut noise by per-command filters. Default: yes; a person who reads the output as it is says no. */
  readonly filters?: boolean | undefined
  /** The id of a granted approval. */
  readonly approval?: string | undefined
  readonly caller?: Caller | undefined
  /** The span this belongs to, as W3C Trace Context writes it. One that is not valid is ignored. */
  readonly traceparent?: string | undefined
  /** The id of the model's tool call, for the audit log and spans. */
  readonly toolCallId?: string | undefined
  /** The tool's name as the model called it, for the audit log and events. */
  readonly toolName?: string | undefined
}

/** Holds the facts, decision and plan of a command that was not run. */
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

/** Options of a command that the caller runs itself. */
export interface AuthorizeOptions
  extends Pick<
    RunOptions,
    | 'agent'
    | 'profile'
    | 'cwd'
    | 'timeoutMs'
    | 'stdin'
    | 'env'
    | 'signal'
    | 'onEvent'
    | 'approval'
    | 'caller'
    | 'traceparent'
    | 'toolCallId'
    | 'toolName'
  > {
  /** Decides as for a profile without a sandbox, because nothing will confine the command. Default: false. */
  readonly outsideSandbox?: boolean | undefined
}

/** Permission for the caller to run a command itself, which is in the audit log with the outcome `authorized`. */
export interface Authorization {
  /** The id in the audit log. */
  readonly id: string
  readonly decision: Decision
  /** The digest of the plan that was decided. */
  readonly digest: string
  readonly by: Grant['by']
  /** The approval that was used up, where a person was asked. */
  readonly approval: string | null
}

export interface FileOptions extends Pick<RunOptions, 'agent' | 'profile' | 'caller'> {
  /** The directory that relative paths start from. Default: the workspace. */
  readonly cwd?: string | undefined
  /** Name of the tool, as reasons and the audit log show it. */
  readonly tool?: string | undefined
  /** Default: `write`. */
  readonly access?: 'read' | 'write' | undefined
}

/** Null: no path is hidden or protected, and Cordon has no opinion. */
export interface FileAuthorization {
  readonly verdict: 'deny' | null
  readonly because: readonly RuleMatch[]
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

export interface MarkdownOptions extends RunOptions {
  /** Goes on after a block that was refused, held, timed out or never started. Default: false. */
  readonly continueOnError?: boolean | undefined
  /** The first block to run, from 0. An `approval` is for the first block from here that needs one. Default: 0. */
  readonly from?: number | undefined
}

export interface MarkdownOutcome {
  /** The number of blocks in the reply. */
  readonly blocks: number
  readonly results: readonly Result[]
  /** Blocks that gave an error and no result, with `continueOnError`. */
  readonly errors: readonly { readonly block: number; readonly error: CordonError }[]
  /** The first block that did not run; null if all did. */
  readonly next: number | null
  /** Filter statistics of all blocks, with the worst confidence. */
  readonly filter: Omit<FilterReport, 'filter' | 'kept'> | null
  readonly summary: string
}

/** A call of a tool, for the audit log. */
export interface ToolCallRecord extends Pick<RunOptions, 'agent' | 'caller' | 'toolCallId' | 'toolName'> {
  /** The arguments, as they came. */
  readonly arguments: unknown
}

/** The engine as every surface sees it. */
export interface Engine {
  run(command: CommandInput, options?: RunOptions): Promise<Result>
  check(command: CommandInput, options?: RunOptions): CheckResult
  /** Decides and records a command that the caller runs itself. Rejects where `run` would refuse or hold it. */
  authorize(command: CommandInput, options?: AuthorizeOptions): Promise<Authorization>
  /**
   * Judges paths that a tool uses without a command: hidden and protected ones are denied, and the denial is
   * recorded.
   */
  authorizeFiles(paths: readonly string[], options?: FileOptions): FileAuthorization
  /** In order, stopping at the first failure. Every result so far is returned, or in `details.results` of an error. */
  sequence(commands: readonly CommandInput[], options?: RunOptions): Promise<readonly Result[]>
  /** A non-zero exit, timeout or cancel becomes a CordonError that carries the result in `details.result`. */
  mustSucceed(command: CommandInput, options?: RunOptions): Promise<Result>
  /** Runs the fenced bash blocks of a model's reply in order. No block: null, and nothing is run. */
  runMarkdown(reply: string, options?: MarkdownOptions): Promise<MarkdownOutcome | null>
  start(command: CommandInput, options?: RunOptions): Task
  readonly tasks: {
    /** Those that wait or run, and the last background ones that ended. `null`: those without an agent. */
    list(agent?: string | null): readonly TaskInfo[]
    /** A background task, or a foreground command that waits or runs. */
    get(id: string): Task
  }
  /** Records a call of a tool that is no command: of one's own, or refused before it became a request. */
  recordCall<T>(call: ToolCallRecord, act: () => Promise<T>): Promise<T>
  status(): Status
  /**
   * Ends every running and waiting command of an agent; says how many there were. `null`: of the requests that named no
   * agent.
   */
  endAgent(agent: string | null): Promise<number>
  /** Variables for all later requests: those of a skill, for as long as it is used. */
  readonly env: StickyVariables
  /** Shows, keeps and undoes the changes of past commands. */
  readonly transactions: PastTransactions
  readonly approvals: {
    /** Newest first, with their state. */
    list(): readonly Approval[]
    /**
     * The first answer wins. Takes an id or a unique beginning; `note` reaches the one who asked. `session`: as long
     * as this engine lives.
     */
    answer(id: string, verdict: 'approved' | 'session' | 'denied', note?: string): Approval
  }
  readonly audit: {
    query(query?: AuditQuery): readonly AuditRecord[]
    /** All records that fit, oldest first, read from the log as they are asked for. */
    records(query?: AuditQuery): Iterable<AuditRecord>
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
    lint(name: string | null, agent?: string | null): readonly LintWarning[]
    /** Decides the recorded requests again under both and lists the verdicts that change. */
    replay(before: string, after: string, query?: AuditQuery): Replay
  }
  close(): Promise<void>
}
