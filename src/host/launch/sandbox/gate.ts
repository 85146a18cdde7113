import { closeSync, writeSync } from 'node:fs'
import type { Channel, Fifos } from '../streams/fifos.js'
import type { SandboxProcess } from './sandbox-process.js'
import type { StatusReport } from './status-report.js'

/** Resolves to the init's pid after all mounts. */
function mounted(report: StatusReport): Promise<number> {
  return new Promise((resolve) =>
    report.listen(() => {
      if (!report.isMounted || report.childPid === null) return false
      resolve(report.childPid)
      return true
    }),
  )
}

interface MountVerifier {
  /** Returns true if the sandbox with this init matches the plan. */
  verify(init: number): Promise<boolean>
  /** Called once the command may start. */
  onOpen(init: number): void
}

/**
 * Blocks bubblewrap until the engine has checked the mounts. bubblewrap reads its seccomp filter last, so it waits for
 * the engine to send one. If the engine dies, bubblewrap reads an empty filter, the kernel rejects that, and nothing
 * starts.
 */
export class Gate {
  readonly channel: Channel
  readonly #filter: Buffer
  #isOver = false

  constructor(fifos: Fifos, filter: Buffer) {
    this.channel = fifos.input()
    this.#filter = filter
  }

  guard(process: SandboxProcess, { verify, onOpen }: MountVerifier): void {
    void mounted(process.report).then(async (init) => {
      if (!(await verify(init)) || this.#isOver) return
      this.#open()
      onOpen(init)
    })
    const release = (): void => {
      this.#close()
      this.channel.recycle()
    }
    process.ended.then(release, release)
  }

  #open(): void {
    try {
      writeSync(this.channel.ours, this.#filter)
    } catch {
      // bubblewrap was killed meanwhile.
    }
    this.#close()
  }

  #close(): void {
    if (!this.#isOver) closeSync(this.channel.ours)
    this.#isOver = true
  }
}
