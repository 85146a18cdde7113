import { MOUNTED } from './bubblewrap-arguments.js'
import { STARTED } from './nursery-script.js'
import { WAITING } from './waiting-shell.js'

/** What is told of a wall by whoever builds it, a line of JSON at a time; the command inside cannot reach that. */
export class StatusReport {
  #rest = ''
  readonly #listeners = new Set<() => void>()
  /** Pid on the host of bubblewrap itself, where the nursery started it. */
  starterPid: number | null = null
  /** Pid on the host of the namespace's init, as soon as there is one. */
  childPid: number | null = null
  /** Set only when the wall was built and the command ended: bubblewrap's own failures leave it null. */
  exitCode: number | null = null
  /** Whether everything is mounted. */
  isMounted = false
  /** Whether a wall built ahead has come to wait for its command. */
  isWaiting = false
  /** Why a copy of a wall could not be made. Then there is no exit code. */
  failure: string | null = null
  /** Of a copy: nothing of it is left. */
  isOver = false

  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
    for (const listener of [...this.#listeners]) listener()
  }

  /** A whole line. */
  tell(line: string): void {
    this.#read(line)
    for (const listener of [...this.#listeners]) listener()
  }

  /** Called after whatever was told next; until it says that it has heard enough. */
  listen(heardEnough: () => boolean): void {
    const listener = (): void => {
      if (heardEnough()) this.#listeners.delete(listener)
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
    if (this.failure === null) this.exitCode ??= code
    this.isOver ||= code !== null || line.includes('"over"')
  }
}

const field = (name: string): RegExp => new RegExp(`"${name}":\\s*(\\d+)`)
const [STARTER, CHILD, EXIT] = [field(STARTED), field('child-pid'), field('exit-code')]

function numberIn(line: string, named: RegExp): number | null {
  const found = named.exec(line)?.[1]
  return found === undefined ? null : Number(found)
}
