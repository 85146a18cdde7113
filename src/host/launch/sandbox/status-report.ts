/** Part of the line that bubblewrap reports after all mounts. */
const MOUNTED = '"cordon-mounted"'
export const MOUNTED_LINE = `{${MOUNTED}: true}\n`

/** Part of the line by which a warm shell reports that it waits. */
export const WAITING = '"cordon-waiting"'

/** Reports of the process that builds a sandbox, as lines of JSON. The command inside cannot reach them. */
export class StatusReport {
  #rest = ''
  readonly #listeners = new Set<() => void>()
  /** Pid on the host of bubblewrap itself, if the zygote host started it. */
  starterPid: number | null = null
  /** Pid on the host of the namespace's init, once known. */
  childPid: number | null = null
  /** Set only if the sandbox was built and the command ended. bubblewrap's own failures leave it null. */
  exitCode: number | null = null
  /** True after all mounts. */
  isMounted = false
  /** True once a warm sandbox waits for its command. */
  isWaiting = false
  /** Reason why the sandbox could not be cloned. Then there is no exit code. */
  failure: string | null = null
  /** True once all processes of a clone have ended. */
  isOver = false

  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
    for (const listener of [...this.#listeners]) listener()
  }

  pushLine(line: string): void {
    this.#read(line)
    for (const listener of [...this.#listeners]) listener()
  }

  /** Calls `listener` after each report until it returns true. */
  listen(isDone: () => boolean): void {
    const listener = (): void => {
      if (isDone()) this.#listeners.delete(listener)
    }
    this.#listeners.add(listener)
  }

  #read(line: string): void {
    this.starterPid ??= numberIn(line, STARTER)
    this.isMounted ||= line.includes(MOUNTED)
    this.isWaiting ||= line.includes(WAITING)
    this.childPid ??= numberIn(line, CHILD)
    this.failure ??= /"failed": "([^"]*)"/.exec(line)?.[1] ?? null
    const code = numberIn(line, EXIT)
    if (this.failure === null) this.exitCode ??= code ?? numberIn(line, STATUS)
    this.isOver ||= code !== null || line.includes('"over"')
  }
}

const field = (name: string): RegExp => new RegExp(`"${name}":\\s*(\\d+)`)
const [STARTER, CHILD, EXIT] = [field('starter-pid'), field('child-pid'), field('exit-code')]
/** Status of a clone whose init waits to be killed, because the command left processes running. */
const STATUS = field('status')

function numberIn(line: string, named: RegExp): number | null {
  const found = named.exec(line)?.[1]
  return found === undefined ? null : Number(found)
}
