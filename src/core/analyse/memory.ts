import { Remembered } from './remembered.js'
import type { Sink } from './streams.js'

/** What is remembered of the files a script makes, by absolute path. */
class Files {
  readonly files = new Remembered<Sink | null>()
  readonly copies = new Remembered<string>()
  readonly links = new Remembered<string>()
  readonly written = new Remembered<string>()
  readonly made = new Remembered<true>()
}

/** The same, worked out when it is first asked for: of most scripts nothing ever is. */
export class Memory {
  /** Set once there may be files of the script's own, and once there may be links. */
  hasFiles = false
  hasLinks = false
  #files: Files | null = null
  #pending: (() => void)[] | null = null

  /** Something to be remembered. What it depends on and may change meanwhile is for `act` to hold on to; it must find no facts. */
  note(act: () => void): void {
    if (this.#pending === null) this.#pending = [act]
    else this.#pending.push(act)
  }

  get files(): Files {
    this.#files ??= new Files()
    const pending = this.#pending
    if (pending !== null) {
      this.#pending = null
      for (const act of pending) act()
    }
    return this.#files
  }
}
