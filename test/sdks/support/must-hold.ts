import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, type TestContext } from 'vitest'
import type { Turn } from '../../agents/support/scripted-model.js'
import { oddSeconds, processesWith } from '../../conformance/workbench.js'
import { type ExampleGround, type ExampleOptions, exampleGround, needsSdk, runExample } from './run-example.js'
import { SDKS, type SdkName } from './sdks.js'

const LIMIT_MS = 120_000
const SCRIPT = 'echo x >> ran\ngit push --force || true\n'

interface Held {
  readonly name: SdkName
  env(url: string): Readonly<Record<string, string>>
  /** The call by which the model runs a command. */
  call(command: string): Turn
}

/** Tests the example of an SDK in which a person answers the approval requests at the terminal. */
export function itHoldsWhatMustHold({ name, env, call }: Held): void {
  let ground: ExampleGround | undefined
  afterEach(() => ground?.remove())

  const open = (context: TestContext) => {
    const sdk = needsSdk(context, name)
    ground = exampleGround(sdk)
    const place = ground
    const example = SDKS.find((one) => one.name === name)?.example ?? ''
    return {
      place,
      ran: () => existsSync(join(place.workspace, 'ran')) && readFileSync(join(place.workspace, 'ran'), 'utf8'),
      run: (turns: readonly Turn[], options: Partial<ExampleOptions> = {}) =>
        runExample(sdk, example, place, turns, { env, ...options }),
    }
  }

  it('runs a command and refuses one with its reason', { timeout: LIMIT_MS }, async (context) => {
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
  })

  it('asks about a held command and runs it once for each yes', { timeout: LIMIT_MS }, async (context) => {
    const { run, place, ran } = open(context)
    writeFileSync(join(place.workspace, 'deploy.sh'), SCRIPT)
    const deploy = call('bash deploy.sh')
    const { shown, stdout, stderr } = await run([deploy, deploy, { text: 'Done.' }], { stdin: 'y\nn\n' })
    expect(stderr.match(/The agent wants to run:\nbash deploy\.sh\n.*history that others share/g)).toHaveLength(2)
    expect(stderr.match(/^.*\$ bash deploy\.sh$/gm)).toHaveLength(1)
    expect(shown).toHaveLength(2)
    expect(shown[1]).not.toContain('Held for approval')
    expect(ran()).toBe('x\n')
    expect(stdout).toBe('Done.\n')
  })

  it('holds an approved command whose script changed before the yes', { timeout: LIMIT_MS }, async (context) => {
    const { run, place, ran } = open(context)
    const file = join(place.workspace, 'deploy.sh')
    writeFileSync(file, SCRIPT)
    const { shown } = await run([call('bash deploy.sh'), { text: 'Done.' }], {
      answerAt: { text: '[y/N] ', with: 'y\n', first: () => writeFileSync(file, `echo more >> ran\n${SCRIPT}`) },
    })
    expect(shown[0]).toContain('Held for approval')
    expect(ran()).toBe(false)
  })

  it('ends the command when the run is aborted', { timeout: LIMIT_MS }, async (context) => {
    const { run } = open(context)
    const seconds = oddSeconds()
    const { status, stderr } = await run([call(`sleep ${seconds}`)], { interruptAt: `$ sleep ${seconds}` })
    expect(stderr).toBe(`$ sleep ${seconds}\n`)
    // The Agents SDK itself ends the process at an interrupt.
    expect([0, 130]).toContain(status)
    expect(processesWith(seconds)).toEqual([])
  })
}
