import { describe, expect, it } from 'vitest'
import { exampleGround, needsSdk, runExample } from './support/run-example.js'
import { itHoldsWithoutApproval } from './support/without-approval.js'

const env = (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'dummy' })
const example = 'openai.mjs'

describe('the OpenAI example', () => {
  itHoldsWithoutApproval({
    name: 'openai',
    example,
    env,
    call: (command) => ({ tool: 'shell', input: { commands: [command] } }),
  })

  it('answers each command of a call with its own outcome', { timeout: 60_000 }, async (context) => {
    const sdk = needsSdk(context, 'openai')
    const ground = exampleGround(sdk)
    const commands = ['echo one; exit 3', 'sudo id', 'git push --force', 'sleep 30', 'seq 1 1000']
    const turns = [{ tool: 'shell', input: { commands, timeout_ms: 1_000, max_output_length: 9 } }, { text: 'Done.' }]
    const { shown } = await runExample(sdk, example, ground, turns, { env }).finally(() => ground.remove())
    const answers = (shown[0] ?? '').split('\n').map((line) => JSON.parse(line))
    expect(answers.map(({ outcome }) => outcome.exit_code ?? outcome.type)).toEqual([3, 126, 123, 'timeout', 0])
    expect(answers[0]).toMatchObject({ stdout: 'one\n', stderr: '' })
    expect(answers[2].stderr).toContain('cordon approve')
    expect(answers[4].stdout).toBe('999\n1000\n')
  })
})
