import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, type TestContext } from 'vitest'
import type { Turn } from '../../agents/support/scripted-model.js'
import { oddSeconds, processesWith } from '../../conformance/workbench.js'
import { type ExampleGround, type ExampleOptions, exampleGround, needsSdk, ROOT, runExample } from './run-example.js'
import type { SdkName } from './sdks.js'

interface Held {
  readonly name: SdkName
  readonly example: string
  env(url: string): Readonly<Record<string, string>>
  /** The call by which the model runs a command. */
  call(command: string): Turn
}

const LIMIT_MS = 90_000

/** Tests the example of an SDK without approvals: a person answers with `cordon approve`. */
export function itHoldsWithoutApproval({ name, example, env, call }: Held): void {
  let ground: ExampleGround | undefined
  afterEach(() => ground?.remove())

  const open = (context: TestContext) => {
    const sdk = needsSdk(context, name)
    ground = exampleGround(sdk)
    const place = ground
    return {
      place,
      run: (turns: readonly Turn[], options: Partial<ExampleOptions> = {}) =>
        runExample(sdk, example, place, turns, { env, ...options }),
    }
  }

  it(
    'runs a command and refuses one with its reason',
    async (context) => {
      const { run, place } = open(context)
      const { shown, stdout, stderr } = await run([
        call('echo hello > f.txt; cat f.txt'),
        call('sudo id'),
        { text: 'All done.' },
      ])
      expect(stderr).toBe('$ echo hello > f.txt; cat f.txt\n')
      expect(shown).toEqual([expect.stringContaining('hello'), expect.stringContaining('Command not allowed: sudo')])
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
      const turns: readonly Turn[] = [call('bash deploy.sh'), { text: 'Done.' }]
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
      const { status } = await run([call(`sleep ${seconds}`)], {
        interruptAt: `$ sleep ${seconds}`,
      })
      expect(status).toBe(0)
      expect(processesWith(seconds)).toEqual([])
    },
    LIMIT_MS,
  )
}
