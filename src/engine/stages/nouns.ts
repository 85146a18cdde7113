import type { AnalysisResult } from '../../core/analyse/analyse.js'
import type { Decision } from '../../core/model/policy/decision.js'
import type { Grant, Plan } from '../../core/model/policy/plan.js'
import type { Profile } from '../../core/model/policy/profile.js'
import type { Captured } from '../../core/model/run/captured.js'
import type { Ending } from '../../core/model/run/ending.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import type { Answers, Facts } from '../../core/model/run/facts.js'
import type { Caller, Request } from '../../core/model/run/request.js'
import type { Result, TransactionReport } from '../../core/model/run/result.js'
import type { CheckedCommand, CheckedOptions } from '../../core/model/run/run-input.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import type { TrackedAnswers } from './tracked-answers.js'

/** Unchecked input of a caller. */
export interface RawRequest {
  readonly input: unknown
  readonly options: unknown
}

/** Known before anything is checked. `shown` stands for a command that cannot be read as one. */
export interface AskedRequest {
  readonly id: string
  readonly at: number
  readonly caller: Caller
  readonly agent: string | null
  readonly shown: string
  /** The command may get input after it was started. */
  readonly isOpen: boolean
  readonly traceparent?: string | undefined
  readonly toolCallId?: string | undefined
  readonly toolName?: string | undefined
  /** Paths of a tool that uses files itself, instead of a command. */
  readonly isFileTool?: boolean
  /** A call of a tool that is no command. */
  readonly isOtherCall?: boolean
}

export interface CheckedRequest extends AskedRequest {
  readonly command: CheckedCommand
  readonly options: CheckedOptions
}

export interface ProfiledRequest extends CheckedRequest {
  /** With what the request says of its transaction. */
  readonly profile: Profile
}

/** normalise gives it: total and closed. */
export interface NormalisedRequest extends ProfiledRequest {
  readonly request: Request
  readonly surroundings: HostContext
}

/** analyse gives it: an analysis without answers of the host, and the way to another one with answers. */
export interface AnalysedRequest extends NormalisedRequest {
  /** Holds none yet. */
  readonly answers: TrackedAnswers
  readonly analysis: AnalysisResult
  readonly analyseWith: (answers: Answers) => AnalysisResult
}

/** observe gives it. `answers`: what the host answered; with them the request can be decided again. */
export interface ObservedRequest extends NormalisedRequest {
  readonly facts: Facts
  readonly answers: Answers
}

export interface DecidedRequest extends ObservedRequest {
  readonly decision: Decision
}

export interface PlannedRequest extends DecidedRequest {
  readonly plan: Plan
}

export interface ApprovedRequest extends PlannedRequest {
  readonly grant: Grant
}

/** Its intent is in the audit log: from here on its ending has to be there too. */
export interface RecordedRequest extends ApprovedRequest {
  readonly isRecorded: true
}

/** A request at any stage: each noun adds to the one before. The audit log gets the last one that was reached. */
export type KnownRequest = AskedRequest & Partial<Omit<RecordedRequest, keyof AskedRequest>>

/** Takes down each noun as it is reached, and returns it. */
export type Reach = <Noun extends KnownRequest>(noun: Noun) => Noun

/** launch gives it. `plan`: as it ran, which is inside the transaction's mounts. */
export interface Launched {
  readonly ending: Ending
  readonly plan: Plan
  readonly startedAt: number
}

/** transaction gives it. */
export interface EndedRequest extends RecordedRequest {
  readonly launched: Launched
  readonly report: TransactionReport | null
  readonly durationMs: number
  /** The changes that were not kept because of what they would do. */
  readonly refused: readonly Evidence[]
}

/** capture gives it. */
export interface CapturedRequest extends EndedRequest {
  readonly captured: Captured
  readonly evidence: readonly Evidence[]
  /** The full output is on disk. */
  readonly isKept: boolean
}

/** present gives it. */
export interface PresentedRequest extends CapturedRequest {
  readonly result: Result
}
