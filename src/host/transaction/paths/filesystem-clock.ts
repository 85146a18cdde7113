import { lstatSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const makeClock = (file: string): void => writeFileSync(file, '', { mode: 0o600 })

/** The filesystem's own time, as a file changed now gets it. It may tick only every few milliseconds. */
function stamp(file: string): bigint {
  const now = new Date()
  utimesSync(file, now, now)
  return lstatSync(file, { bigint: true }).ctimeNs
}

export interface FileClock {
  /** Returns a time after all earlier changes and not after any later change. */
  begin(): Promise<bigint>
}

/**
 * Distinguishes changes before and after a moment by the timestamps of the filesystem, with a file from `makeClock`.
 */
export function fileClock(file: string): FileClock {
  const start = stamp(file)
  return {
    async begin() {
      for (let now = stamp(file); ; now = stamp(file)) {
        if (now > start) return now
        await sleep(1)
      }
    },
  }
}
