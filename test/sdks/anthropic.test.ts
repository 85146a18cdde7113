import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, type TestContext } from 'vitest'
import type { Turn } from '../agents/support/scripted-model.js'
import { oddSeconds, processesWith } from '../conformance/workbench.js'
import {
  type ExampleGround,
  type ExampleOptions,
  exampleGround,
  needsSdk,
  ROOT,
  runExample,
} from './support/run-example.js'

const LIMIT_MS = 90_000

describe('the Anthropic example', () => {
  let ground: ExampleGround | undefined
  afterEach(() => ground?.remove())

  const open = (context: TestContext) => {
    const sdk = needsSdk(context, 'anthropic')
    ground = exampleGround(sdk)
    const place = ground
    const env = (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' })
    return {
      place,
      run: (turns: readonly Turn[], options: Partial<ExampleOptions> = {}) =>
        runExample(sdk, 'anthropic.mjs', place, turns, { env, ...options }),
    }
  }

  it(
    'runs a command, refuses one with its reason, and answers a restart',
    async (context) => {
      const { run, place } = open(context)
      const { shown, stdout, stderr } = await run([
        { tool: 'bash', input: { command: 'echo hello > f.txt; cat f.txt' } },
        { tool: 'bash', input: { command: 'sudo id' } },
        { tool: 'bash', input: { restart: true } },
        { text: 'All done.' },
      ])
      expect(stderr).toBe('$ echo hello > f.txt; cat f.txt\n')
      expect(shown).toEqual([
        'hello',
        expect.stringContaining('Command not allowed: sudo'),
        expect.stringContaining('new shell'),
      ])
      expect(stdout).toBe('All done.\n')
      expect(readFileSync(join(place.workspace, 'f.txt'), 'utf8')).toBe('hello\n')
    },
    LIMIT_MS,
  )

  it(
    'holds a command until a person approves it, and runs it once then',
    async (context) => {
      const { run, place } = open(context)
      writeFileSync(join(place.workspace, 'deploy.sh'), 'echo x >> ran\ngit push --force || true\n')
      const turns: readonly Turn[] = [{ tool: 'bash', input: { command: 'bash deploy.sh' } }, { text: 'Done.' }]
      const held = await run(turns)
      const id = /cordon approve (\w+)/.exec(held.shown[0] ?? '')?.[1] ?? 'none'
      expect(held.shown[0]).toContain('then repeat the same command')
      expect(existsSync(join(place.workspace, 'ran'))).toBe(false)
      execFileSync(process.execPath, [join(ROOT, 'dist/bin.cjs'), 'approve', id], {
        cwd: place.workspace,
        env: place.env,
      })
      await run(turns)
      const again = await run(turns)
      expect(again.shown[0]).toContain('Held for approval')
      expect(readFileSync(join(place.workspace, 'ran'), 'utf8')).toBe('x\n')
    },
    LIMIT_MS,
  )

  it(
    'ends the command when the run is aborted',
    async (context) => {
      const { run } = open(context)
      const seconds = oddSeconds()
      const { status } = await run([{ tool: 'bash', input: { command: `sleep ${seconds}` } }], {
        interruptAt: `$ sleep ${seconds}`,
      })
      expect(status).toBe(0)
      expect(processesWith(seconds)).toEqual([])
    },
    LIMIT_MS,
  )
})
