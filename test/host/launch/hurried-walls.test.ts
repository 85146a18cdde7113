import { describe, expect, it } from 'vitest'
import { planOf, wallAround } from '../../contract/launcher-plan.js'
import { walledWorkspace } from '../../contract/walled-workspace.js'

const PATIENCE_MS = 120_000
const AT_ONCE = 6
const ROUNDS = 5
/** Tells from inside whether the wall was built ahead, and how long the line is that its shell was started with. */
const STARTED_AS =
  'grep -qE "c .[$]BASH_EXECUTION_STRING|cordon-nurser[y]" /proc/1/cmdline && echo warm || echo cold; wc -c </proc/$$/cmdline'

describe('commands that come faster than walls are built ahead', () => {
  const warm = walledWorkspace({ warm: AT_ONCE })

  const untilReady = async (): Promise<void> => {
    await warm.run('true')
    const made = await warm.launcher.readied(planOf(warm.workspace, wallAround(warm.workspace)))
    expect(made).not.toBe('none')
  }

  const hurried = async <T>(run: (number: number) => Promise<T>): Promise<readonly T[]> => {
    const all: T[] = []
    const worker = async (_: unknown, first: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) all.push(await run(first + round * AT_ONCE))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return all
  }

  it(
    'are run by the very shell that was to wait, and by no second one it would have to start',
    async () => {
      await untilReady()
      const { stdout: ready } = await warm.run(STARTED_AS)
      expect(ready).toMatch(/^warm\n/)
      const seen = await hurried(async () => (await warm.run(STARTED_AS)).stdout)
      expect(seen).toContain(ready)
      expect(seen.filter((one) => one !== ready && !one.startsWith('cold'))).toEqual([])
    },
    PATIENCE_MS,
  )

  it(
    'each have their own input, variables and output',
    async () => {
      await untilReady()
      const said = await hurried(async (number) => {
        const over = { env: [['PATH', '/usr/bin:/bin'] as const, ['OWN', `${number}`] as const] }
        const io = { stdin: { text: `in ${number}` } }
        return [number, (await warm.run(`cat; echo " and $OWN of ${number}"`, { ...over, io })).stdout]
      })
      expect(said).toEqual(said.map(([number]) => [number, `in ${number} and ${number} of ${number}\n`]))
      expect(new Set(said.map(([number]) => number)).size).toBe(AT_ONCE * ROUNDS)
    },
    PATIENCE_MS,
  )

  it(
    'can be cancelled before their wall waits, and then leave nothing running',
    async () => {
      await untilReady()
      const endings = await hurried(async (number) => {
        const controller = new AbortController()
        const running = warm.run('echo made > made; sleep 300', { io: { signal: controller.signal } })
        setTimeout(() => controller.abort(), number)
        return (await running).ending
      })
      expect(endings.filter((ending) => ending.how !== 'killed' || ending.by !== 'caller')).toEqual([])
    },
    PATIENCE_MS,
  )
})
