import { spawnSync } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { CordonError } from '../../core/model/basics/errors.js'
import type { AuditSettings } from '../../core/model/policy/settings.js'

const TIMEOUT_MS = 5_000
const SYSLOG: readonly string[] = ['logger', '-t', 'cordon']

/** A row as the log has it. */
export interface SunkRow {
  readonly seq: number
  readonly digest: string
  readonly body: string
}

/** Writes rows to the sink. */
export type Sink = (rows: readonly SunkRow[]) => void

/** Returns the file of the sink; null for other sinks. */
export const sinkFileOf = ({ sink }: AuditSettings): string | null =>
  typeof sink === 'string' && sink !== 'syslog' ? sink : null

/**
 * Opens the sink of the settings. `say` gets the first failure if the sink is not required; otherwise a failure is
 * AUDIT_UNAVAILABLE.
 */
export function openSink({ sink, required = false }: AuditSettings, say: (message: string) => void): Sink {
  let isSaid = false
  return (rows) => {
    if (sink === undefined) return
    const text = rows.map(({ seq, digest, body }) => `{"seq":${seq},"digest":"${digest}","body":${body}}\n`).join('')
    try {
      const file = sinkFileOf({ sink })
      if (file !== null) appendTo(file, text)
      else pipeTo(typeof sink === 'string' ? SYSLOG : sink, text)
    } catch (error) {
      const message = `The audit sink ${JSON.stringify(sink)} failed: ${error instanceof Error ? error.message : error}. Repair it, or change \`audit.sink\` in the settings.`
      if (required) throw new CordonError('AUDIT_UNAVAILABLE', message)
      if (!isSaid) say(message)
      isSaid = true
    }
  }
}

/** Appends only, so the file may have the attribute of `chattr +a`. */
function appendTo(file: string, text: string): void {
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(file, flags, 0o600)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    const bytes = Buffer.from(text)
    if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('only a part was written')
  } finally {
    closeSync(descriptor)
  }
}

function pipeTo([program = '', ...args]: readonly string[], text: string): void {
  const { error, status, signal, stderr } = spawnSync(program, args, {
    input: text,
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  if (error) throw error
  if (status !== 0) throw new Error(`it ended with ${signal ?? status} ${stderr.toString().slice(0, 200)}`.trim())
}
