import { describe, expect, it } from 'vitest'
import { exampleGround, needsSdk, runExample } from './support/run-example.js'
import { itHoldsWithoutApproval } from './support/without-approval.js'

const env = (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' })
const example = 'anthropic.mjs'

describe('the Anthropic example', () => {
  itHoldsWithoutApproval({
    name: 'anthropic',
    example,
    env,
    call: (command) => ({ tool: 'bash', input: { command } }),
  })

  it('answers a restart', { timeout: 60_000 }, async (context) => {
    const sdk = needsSdk(context, 'anthropic')
    const ground = exampleGround(sdk)
    const turns = [{ tool: 'bash', input: { restart: true } }, { text: 'Done.' }]
    const { shown } = await runExample(sdk, example, ground, turns, { env }).finally(() => ground.remove())
    expect(shown).toEqual([expect.stringContaining('nothing to restart')])
  })
})
