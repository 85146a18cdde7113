import { kernelFileIfAny } from './kernel-file.js'

/** What is known of one process at one look. */
export interface Writer {
  /** Clock ticks since boot: numbers of processes are given out again. */
  readonly started: string
  readonly parent: number
  /** Bytes it and those of its children that it has waited for have sent to disks; what lies in memory alone does not count. */
  readonly written: number
}

/** Null for one that is gone. One that lives and does not let its count be read has what it had. */
function writer(pid: number, last: Writer | undefined): Writer | null {
  const io = kernelFileIfAny(`/proc/${pid}/io`)
  const stat = kernelFileIfAny(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const started = fields[19] ?? ''
  const known = last?.started === started ? last.written : 0
  const counted = io === null ? undefined : /^write_bytes: (\d+)/m.exec(io)?.[1]
  return { started, parent: Number(fields[1]), written: counted === undefined ? known : Number(counted) }
}

/** Bytes of processes that have ended, and what the process they were to be added to had just before. */
interface Ended {
  readonly bytes: number
  readonly before: number
}

/**
 * What a tree of processes has written to disks so far, unlinked files included. The kernel adds an ended process to the one that
 * waited for it, so the living tell of the dead. Where a parent ignores its children's ends they are added to nobody: so each process is
 * remembered, and one that is gone without its parent having grown by as much is counted here from then on. That a parent writes
 * itself at that moment can hide a part; nothing is ever counted twice.
 */
export class DiskMeter {
  readonly #look: typeof writer
  #last: ReadonlyMap<number, Writer> = new Map()
  /** By who they should have been added to: it may have been looked at just before that happened, so they are judged at the next look. */
  #pending: ReadonlyMap<number, Ended> = new Map()
  #lost = 0
  #most = 0

  constructor(look: typeof writer = writer) {
    this.#look = look
  }

  /** `tree`: parents first, or a process that ends while the others are read would be counted twice. */
  measure(tree: readonly number[]): number {
    const now = new Map<number, Writer>()
    for (const pid of tree) {
      const found = this.#look(pid, this.#last.get(pid))
      if (found !== null) now.set(pid, found)
    }
    for (const [pid, { bytes, before }] of this.#pending) {
      const grown = (now.get(pid) ?? this.#last.get(pid))?.written ?? before
      this.#lost += Math.max(0, bytes - Math.max(0, grown - before))
    }
    this.#pending = this.#endedBy(now)
    this.#last = now
    let sum = 0
    for (const { written } of now.values()) sum += written
    this.#most = Math.max(this.#most, this.#lost + sum)
    return this.#most
  }

  #endedBy(now: ReadonlyMap<number, Writer>): ReadonlyMap<number, Ended> {
    const ended = new Map<number, Ended>()
    for (const [pid, { started, parent, written }] of this.#last) {
      if (now.get(pid)?.started === started || written === 0) continue
      const heir = this.#heirOf(parent, now)
      const before = this.#last.get(heir)?.written ?? 0
      ended.set(heir, { bytes: (ended.get(heir)?.bytes ?? 0) + written, before })
    }
    return ended
  }

  /** The nearest above that still lives: to it comes what it waited for, by way of those between. */
  #heirOf(parent: number, now: ReadonlyMap<number, Writer>): number {
    let heir = parent
    while (!now.has(heir)) {
      const above = this.#last.get(heir)?.parent
      if (above === undefined) return heir
      heir = above
    }
    return heir
  }
}
