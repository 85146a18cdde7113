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
  /** A time later than everything that happened before the clock was made, and not later than anything that happens from now on. */
  begin(): Promise<bigint>
}

/** Of a file that `makeClock` made. Tells what was changed before a moment from what was changed after it, by the times the filesystem itself gives. */
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
