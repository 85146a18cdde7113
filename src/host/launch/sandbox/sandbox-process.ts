import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { contained } from '../../../core/model/basics/contained.js'
import { CordonError } from '../../../core/model/basics/errors.js'
import { closed } from '../streams/standard-streams.js'
import { StatusReport } from './status-report.js'

/** Process that builds a sandbox and ends with it. */
export interface SandboxProcess {
  readonly report: StatusReport
  /** Settles when it has ended and its report is complete. Rejects if it could not be started. */
  readonly ended: Promise<void>
  /** Null if only the report names the pid. */
  readonly pid: number | null
  /** Our end of bubblewrap's report pipe. Null if another process reports for it and waits at the end. */
  readonly statusFd: number | null
  /** Name by which the sandbox's shell reports that it waits, if several share one report. */
  readonly name?: string
  /** Decides if it keeps the engine's process alive. */
  hold(held: boolean): void
}

function reportFrom(status: Socket): StatusReport {
  const report = new StatusReport()
  const read = contained(
    (chunk: Buffer) => report.push(chunk),
    () => status.destroy(),
  )
  status.on('data', read)
  return report
}

function setRef(one: { ref(): unknown; unref(): unknown }, held: boolean): void {
  if (held) one.ref()
  else one.unref()
}

/** Wraps a child of the engine. */
export function spawnedSandboxProcess(child: ChildProcess, status: Socket, statusFd: number): SandboxProcess {
  const exited = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', (error) =>
      reject(new CordonError('START_FAILED', `Cordon could not start the command: ${error.message}.`)),
    )
  })
  return {
    report: reportFrom(status),
    ended: Promise.all([exited, closed(status)]).then(() => undefined),
    pid: child.pid ?? null,
    statusFd,
    hold: (held) => {
      setRef(child, held)
      setRef(status, held)
    },
  }
}

/** Wraps a child of the zygote host, which holds its report open while it lives. */
export function hostedSandboxProcess(status: Socket, statusFd: number): SandboxProcess {
  return {
    report: reportFrom(status),
    ended: closed(status),
    pid: null,
    statusFd,
    hold: (held) => setRef(status, held),
  }
}
