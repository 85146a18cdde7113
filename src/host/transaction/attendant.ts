import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** A small process that answers lines, started when it is first needed. It holds no one back from ending. */
export interface Attendant {
  warm(): void
  /** One line for one line, in order. Null when there is no such program, or it is gone. */
  ask(line: string): Promise<string | null>
  close(): void
}

type Answered = (line: string | null) => void

export function createAttendant(program: string, args: readonly string[]): Attendant {
  let serving: Serving | null = null
  const serve = (): Serving => {
    serving ??= new Serving(program, args)
    return serving
  }
  return {
    warm: () => void serve(),
    ask: (line) => serve().ask(line),
    close() {
      serving?.close()
      serving = null
    },
  }
}

class Serving {
  readonly #child: ChildProcess
  readonly #waiting: Answered[] = []
  #heard = ''
  #gone = false

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      cwd: '/',
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')))
    this.#child.on('error', () => this.#leave())
    this.#child.on('close', () => this.#leave())
    this.#child.unref()
    this.#hold(false)
  }

  ask(line: string): Promise<string | null> {
    if (this.#gone) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#hold(true)
      this.#child.stdin?.write(`${line}\n`)
    })
  }

  close(): void {
    this.#child.stdin?.end()
  }

  #hear(text: string): void {
    const lines = `${this.#heard}${text}`.split('\n')
    this.#heard = lines.pop() ?? ''
    for (const line of lines) this.#waiting.shift()?.(line)
    if (this.#waiting.length === 0) this.#hold(false)
  }

  #leave(): void {
    this.#gone = true
    for (const answered of this.#waiting.splice(0)) answered(null)
  }

  /** An open pipe keeps a process running; this one does so only while an answer is awaited. */
  #hold(held: boolean): void {
    for (const pipe of [this.#child.stdin, this.#child.stdout] as (Socket | null)[]) {
      if (held) pipe?.ref()
      else pipe?.unref()
    }
  }
}
