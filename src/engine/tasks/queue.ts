import { CordonError } from '../../core/model/basics/errors.js'
import { LIMITS } from '../../core/model/basics/limits.js'
import { follow } from './follow-signal.js'

interface Line {
  running: number
  ceiling: number
  readonly waiting: (() => void)[]
}

/** Limits the running commands per agent and in total. Waiting agents take turns, so that a busy one starves none. */
export interface Queue {
  /**
   * Settles when there is a place; `leave` gives it back. Rejects with TOO_BUSY, or with the reason when the signal
   * aborts.
   */
  enter(agent: string | null, ceiling: number, signal: AbortSignal): Promise<() => void>
  counts(): readonly {
    readonly agent: string | null
    readonly running: number
    readonly waiting: number
    readonly ceiling: number
  }[]
}

export function createQueue(overall: number = LIMITS.tasksOverall): Queue {
  const lines = new Map<string | null, Line>()
  let running = 0

  /** The first agent in turn that waits and is below its ceiling; it then goes to the end of the turn. */
  function startNext(): void {
    for (const [agent, line] of lines) {
      if (running >= overall) return
      if (line.running >= line.ceiling) continue
      const next = line.waiting.shift()
      if (!next) continue
      lines.delete(agent)
      lines.set(agent, line)
      next()
      startNext()
      return
    }
  }

  function forgetIfIdle(agent: string | null, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(agent)
  }

  function leave(agent: string | null, line: Line): void {
    running--
    line.running--
    forgetIfIdle(agent, line)
    startNext()
  }

  function wait(agent: string | null, line: Line, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        unfollow()
        running++
        line.running++
        resolve(once(() => leave(agent, line)))
      }
      const giveUp = (): void => {
        line.waiting.splice(line.waiting.indexOf(go), 1)
        forgetIfIdle(agent, line)
        reject(new CordonError('CANCELLED', 'Cancelled while waiting for a place to run.'))
      }
      line.waiting.push(go)
      const unfollow = follow(signal, giveUp)
      startNext()
    })
  }

  return {
    async enter(agent, ceiling, signal) {
      if (signal.aborted) throw new CordonError('CANCELLED', 'Cancelled before it was started.')
      const line = lines.get(agent) ?? { running: 0, ceiling, waiting: [] }
      line.ceiling = ceiling
      if (line.waiting.length >= LIMITS.queuePerAgent) {
        throw new CordonError(
          'TOO_BUSY',
          `${line.waiting.length} commands of this agent are waiting already; try again when some have ended.`,
        )
      }
      lines.set(agent, line)
      return wait(agent, line, signal)
    },
    counts: () =>
      [...lines].map(([agent, l]) => ({ agent, running: l.running, waiting: l.waiting.length, ceiling: l.ceiling })),
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}
