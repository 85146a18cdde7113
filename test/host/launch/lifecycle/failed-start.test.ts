import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../../src/core/model/basics/errors.js'
import { processesNaming, unusualSeconds } from '../../../contract/launcher-plan.js'
import { type Seen, sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const PATIENCE_MS = 60_000

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Returns processes that have this workspace mounted in another namespace. */
function inSandboxesAround(workspace: string): readonly number[] {
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

describe('a sandbox killed from outside', () => {
  const cold = sandboxedWorkspace()

  it.each([
    ['its init', (init: number) => init],
    ['bubblewrap itself', parentOf],
  ])(
    'a sandbox killed by %s ends its command, and the result reports the kill',
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

describe('a warm sandbox that is killed', () => {
  const warm = sandboxedWorkspace({ warm: 2 })

  it(
    'killing warm sandboxes kills or refuses at most their command; nothing hangs, and the next command runs',
    async () => {
      await warm.untilWarm()
      for (const pid of inSandboxesAround(warm.workspace)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It died with another.
        }
      }
      // The number of reported deaths by now is random.
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

describe('a command that ends at once', () => {
  const cold = sandboxedWorkspace()

  it(
    'a command that ends at once is always reported as started, because its sandbox waits for the mount check',
    async () => {
      const seen = []
      for (let tries = 0; tries < 20; tries += 1) seen.push((await cold.run(':')).started)
      expect(seen).toEqual(seen.map(() => 1))
    },
    PATIENCE_MS,
  )
})
