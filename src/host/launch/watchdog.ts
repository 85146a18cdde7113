import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'

/** The variable by which everything an engine started can be recognised, in /proc/<pid>/environ. */
const MARK_NAME = 'CORDON_ENGINE'

/**
 * Waits on a pipe that closes when the engine dies, however it dies, and then kills everything that carries its mark. Told `bye`,
 * it goes quietly. It looks again for a while: a process can fork between being listed and being killed, and one that was only just
 * forked still has the engine's own environment and gets its mark a moment later.
 */
const SCRIPT = `
IFS= read -r word
[[ $word == bye ]] && exit 0
quiet=0
while ((quiet < 10)); do
  quiet=$((quiet + 1))
  for file in $(grep -lszxF -- "$1" /proc/[0-9]*/environ); do
    quiet=0 pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
  sleep 0.03
done
`

/** One small process per launcher, started before the first command, so that even kill -9 of the engine leaves nothing running. */
export class Watchdog {
  readonly mark: readonly [string, string] = [MARK_NAME, randomUUID()]
  #process: ChildProcess | null = null

  /** Started once; costs the second caller nothing. */
  start(): void {
    if (this.#process !== null) return
    const child = spawn('/bin/bash', ['--norc', '--noprofile', '-c', SCRIPT, 'cordon-watchdog', this.mark.join('=')], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    child.on('error', () => undefined)
    child.stdin?.on('error', () => undefined)
    child.unref()
    // The pipe alone must not keep the engine's process alive.
    if (child.stdin instanceof Socket) child.stdin.unref()
    this.#process = child
  }

  /** Everything is dead already. */
  async release(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.ref()
    child.stdin?.end('bye\n')
    await gone
  }
}
