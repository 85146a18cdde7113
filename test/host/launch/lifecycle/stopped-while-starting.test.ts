import { describe, expect, it } from 'vitest'
import { planOf, sandboxAround } from '../../../contract/launcher-plan.js'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const PATIENCE_MS = 120_000
const AT_ONCE = 6
const ROUNDS = 5
/** Prints from inside if the sandbox was warm, and the length of its shell's command line. */
const STARTED_AS =
  'grep -qE "c .[$]BASH_EXECUTION_STRING|cordon-zygot[e]" /proc/1/cmdline && echo warm || echo cold; wc -c </proc/$$/cmdline'

describe('commands that arrive faster than warm sandboxes are built', () => {
  const warm = sandboxedWorkspace({ warm: AT_ONCE })

  const untilReady = async (): Promise<void> => {
    await warm.run('true')
    const made = await warm.launcher.whenReady(planOf(warm.workspace, sandboxAround(warm.workspace)))
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
    'fast commands run in the waiting shell itself, which starts no second shell',
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
    'fast commands each have their own input, variables and output',
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
    'fast commands cancelled before their sandbox waits leave nothing running',
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
