import type { Stream } from '../../core/model/basics/relay.js'
import type { Result } from '../../core/model/run/result.js'

/** A command that runs in the background. */
export interface Task {
  readonly id: string
  readonly agent: string | null
  readonly command: string
  readonly startedAt: number
  /** Settles when the command ended; rejects with a CordonError when it was refused. */
  readonly result: Promise<Result>
  /**
   * Returns output from a byte offset on; `next` is the offset of the following call. Counts skipped bytes past the
   * capture limit.
   */
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
  /** `refused`: nothing was started. */
  readonly state: 'waiting' | 'running' | 'ended' | 'refused'
  readonly startedAt: number
  readonly pid: number | null
  readonly background: boolean
  /** The ending; null while it waits or runs. */
  readonly ended: {
    readonly outcome: TaskOutcome
    readonly exitCode: number | null
    readonly durationMs: number
  } | null
}

export type TaskOutcome = 'success' | 'error' | 'timeout' | 'cancelled' | 'refused'
