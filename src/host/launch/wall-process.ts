import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { CordonError } from '../../core/model/errors.js'
import { StatusReport } from './status-report.js'

/** What builds a wall and ends with it, started by whomever it was. */
export interface WallProcess {
  readonly report: StatusReport
  /** Settles when it has ended and its report is complete; rejects when it could not be started. */
  readonly ended: Promise<void>
  /** Null where only the report tells. */
  readonly pid: number | null
  /** By what its shell is to say that it waits, where several share one report. */
  readonly name?: string
  /** Whether it keeps the engine's process alive. */
  hold(held: boolean): void
}

export const closed = (status: Socket): Promise<void> => new Promise((resolve) => status.once('close', () => resolve()))

function reportFrom(status: Socket): StatusReport {
  const report = new StatusReport()
  status.on('data', (chunk: Buffer) => report.push(chunk))
  return report
}

function refer(one: { ref(): unknown; unref(): unknown }, held: boolean): void {
  if (held) one.ref()
  else one.unref()
}

/** A child of the engine's. */
export function spawnedWall(child: ChildProcess, status: Socket): WallProcess {
  const exited = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', (error) =>
      reject(new CordonError('START_FAILED', `The command could not be started: ${error.message}.`)),
    )
  })
  return {
    report: reportFrom(status),
    ended: Promise.all([exited, closed(status)]).then(() => undefined),
    pid: child.pid ?? null,
    hold: (held) => {
      refer(child, held)
      refer(status, held)
    },
  }
}

/** A child of the nursery's: it holds its report open for as long as it lives. */
export function nursedWall(status: Socket): WallProcess {
  return { report: reportFrom(status), ended: closed(status), pid: null, hold: (held) => refer(status, held) }
}
