import { STARTED } from './broker.js'
import { WAITING } from './waiting-shell.js'

/** What bubblewrap writes on its status descriptor, a line of JSON at a time; the command inside cannot reach it. */
export class StatusReport {
  #rest = ''
  /** Pid on the host of bubblewrap itself, where the broker started it. */
  starterPid: number | null = null
  /** Pid on the host of the namespace's init, as soon as there is one. */
  childPid: number | null = null
  /** Set only when the wall was built and the command ended: bubblewrap's own failures leave it null. */
  exitCode: number | null = null
  /** Whether a wall built ahead has come to wait for its command. */
  isWaiting = false

  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      this.starterPid ??= numberIn(line, STARTED)
      this.isWaiting ||= line.includes(WAITING)
      this.childPid ??= numberIn(line, 'child-pid')
      this.exitCode ??= numberIn(line, 'exit-code')
    }
  }
}

function numberIn(line: string, field: string): number | null {
  const found = new RegExp(`"${field}":\\s*(\\d+)`).exec(line)?.[1]
  return found === undefined ? null : Number(found)
}
