import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/errors.js'
import { processesNaming, unusualSeconds } from '../../contract/launcher-plan.js'
import { type Seen, walledWorkspace } from '../../contract/walled-workspace.js'

const PATIENCE_MS = 60_000

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Processes that have this workspace mounted, in a namespace that is not ours. */
function inWallsAround(workspace: string): readonly number[] {
  const own = readlinkSync('/proc/self/ns/mnt')
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/ns/mnt`) !== own &&
          readFileSync(`/proc/${pid}/mountinfo`, 'latin1').includes(` ${workspace} `)
        )
      } catch {
        return false
      }
    })
}

describe('a wall that is killed from outside', () => {
  const cold = walledWorkspace()

  it.each([
    ['its init', (init: number) => init],
    ['bubblewrap itself', parentOf],
  ])(
    'ends its command, by %s, and the ending says that it was killed',
    async (_what, victim) => {
      const seconds = unusualSeconds()
      let killed: Promise<void> | undefined
      const kill = async (init: number): Promise<void> => {
        while (processesNaming(seconds).length === 0) await sleep(10)
        process.kill(victim(init), 'SIGKILL')
      }
      const { ending, started } = await cold.run(`sleep ${seconds}`, {
        timeoutMs: 50_000,
        io: {
          started: ({ pid }) => {
            killed = kill(pid)
          },
        },
      })
      await killed
      expect([ending, started]).toEqual([{ how: 'killed', signal: 'SIGKILL', by: 'itself' }, 1])
      expect(processesNaming(seconds)).toEqual([])
    },
    PATIENCE_MS,
  )
})

describe('a wall that waits and is killed', () => {
  const warm = walledWorkspace({ warm: 2 })

  it(
    'costs the command that had been given it at most: that is killed or refused, nothing hangs, and the next runs',
    async () => {
      await warm.untilWarm()
      for (const pid of inWallsAround(warm.workspace)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It died with another.
        }
      }
      // Of how many the death has been heard of by now is a matter of luck.
      const seen: string[] = []
      for (let tries = 0; tries < 5 && seen.at(-1) !== 'fine\n'; tries += 1) {
        const told = await warm.run('echo fine').catch((error: unknown) => error)
        seen.push(told instanceof CordonError ? told.code : (told as Seen).stdout || (told as Seen).ending.how)
      }
      expect(seen.at(-1)).toBe('fine\n')
      expect(
        seen.slice(0, -1).filter((one) => !['killed', 'SANDBOX_UNAVAILABLE', 'START_FAILED'].includes(one)),
      ).toEqual([])
    },
    PATIENCE_MS,
  )
})

describe('a command that is over at once', () => {
  const cold = walledWorkspace()

  it(
    'is told to have started, each time: its wall waits until it has been looked at',
    async () => {
      const seen = []
      for (let tries = 0; tries < 20; tries += 1) seen.push((await cold.run(':')).started)
      expect(seen).toEqual(seen.map(() => 1))
    },
    PATIENCE_MS,
  )
})
