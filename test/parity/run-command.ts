import { spawn } from 'node:child_process'

export interface Ended {
  /** As bash tells it: 128+n for signal n. */
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

export interface Command {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string | null
}

const TIMEOUT_MS = 120_000
const SIGNALS: Readonly<Record<string, number>> = {
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
}

/** Node's own pipes are sockets, which a command cannot open again as /dev/stdout. */
const THROUGH_PIPES = `
  exec 3< <(cat); exec 4> >(cat); stdout=$!; exec 5> >(cat >&2); stderr=$!
  "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-
  status=$?
  exec 3<&- 4>&- 5>&-
  wait "$stdout" "$stderr"
  exit "$status"`

/**
 * Runs one command through pipes and waits until it and its pipes have ended. Stops it after two minutes, with status
 * 999.
 */
export function runCommand({ argv, cwd, env, stdin }: Command): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', THROUGH_PIPES, 'bash', ...argv], { cwd, env, detached: true })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, TIMEOUT_MS)
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    // A command that reads nothing may be gone before its input is written.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin ?? '')
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const status = timedOut ? 999 : (code ?? 128 + (SIGNALS[signal ?? ''] ?? 0))
      resolve({ status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
    })
  })
}
