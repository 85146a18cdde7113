import { closeSync, writeSync } from 'node:fs'
import type { Channel, Fifos } from './fifos.js'
import type { StatusReport } from './status-report.js'
import type { WallProcess } from './wall-process.js'

/** Settles with the init's pid when everything is mounted. */
function mounted(report: StatusReport): Promise<number> {
  return new Promise((resolve) =>
    report.listen(() => {
      if (!report.isMounted || report.childPid === null) return false
      resolve(report.childPid)
      return true
    }),
  )
}

interface Admission {
  /** Whether anything may run in the wall with this init. */
  admit(init: number): Promise<boolean>
  /** It has been let go on. */
  onOpen(init: number): void
}

/**
 * Where bubblewrap waits, the wall built and nothing of the command begun, until somebody has looked at it. It waits for the filter of system
 * calls, which it reads last, and the filter is also the key: without it, as when the engine has died, the kernel refuses what was
 * read, and bubblewrap goes without starting anything.
 */
export class Gate {
  readonly channel: Channel
  readonly #filter: Buffer
  #isOver = false

  constructor(fifos: Fifos, filter: Buffer) {
    this.channel = fifos.input()
    this.#filter = filter
  }

  guard(process: WallProcess, { admit, onOpen }: Admission): void {
    void mounted(process.report).then(async (init) => {
      if (!(await admit(init)) || this.#isOver) return
      this.#open()
      onOpen(init)
    })
    const over = (): void => {
      this.#close()
      this.channel.recycle()
    }
    process.ended.then(over, over)
  }

  #open(): void {
    try {
      writeSync(this.channel.ours, this.#filter)
    } catch {
      // It has been killed meanwhile.
    }
    this.#close()
  }

  #close(): void {
    if (!this.#isOver) closeSync(this.channel.ours)
    this.#isOver = true
  }
}
