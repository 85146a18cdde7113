import { closeSync } from 'node:fs'
import type { Channel, Fifos } from './fifos.js'
import type { Expected, MaskReports } from './mask-reports.js'
import type { StatusReport } from './status-report.js'
import type { WallProcess } from './wall-process.js'

/** The init's pid and that all is mounted are heard of on different ways, and which comes first is a matter of luck. */
function initOf(report: StatusReport): Promise<number> {
  return new Promise((resolve) => {
    const isKnown = (): boolean => {
      if (report.childPid !== null) resolve(report.childPid)
      return report.childPid !== null
    }
    if (!isKnown()) report.listen(isKnown)
  })
}

/** Where bubblewrap waits, everything mounted and nothing of the command begun, until somebody has looked at the wall. */
export class Gate {
  readonly channel: Channel
  readonly #expected: Expected
  readonly #built: Promise<void>
  #isOpen = false

  constructor(fifos: Fifos, reports: MaskReports) {
    this.channel = fifos.input()
    let built = (): void => undefined
    this.#built = new Promise((resolve) => {
      built = resolve
    })
    this.#expected = reports.expect(() => built())
  }

  /** What bubblewrap says when it has come here. */
  get line(): Buffer {
    return this.#expected.line
  }

  /** Lets it pass when whatever else must be is, and `admit` says so of the init; that is told to end otherwise. */
  guard(process: WallProcess, ready: Promise<void>, admit: (init: number) => boolean): void {
    void Promise.all([initOf(process.report), this.#built, ready]).then(([init]) => {
      if (admit(init)) this.#open()
    })
    const over = (): void => {
      this.#expected.forget()
      this.#open()
      this.channel.recycle()
    }
    process.ended.then(over, over)
  }

  #open(): void {
    // At its end bubblewrap goes on.
    if (!this.#isOpen) closeSync(this.channel.ours)
    this.#isOpen = true
  }
}
