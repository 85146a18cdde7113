import { describe, expect, it } from 'vitest'
import { anthropicBash } from '../../../src/surface/sdk/anthropic.js'
import { temporaryCordons } from '../../temporary-cordon.js'

describe('the Anthropic tool', () => {
  const open = temporaryCordons()

  it('is the definition that the API knows', async () => {
    const { cordon } = await open()
    expect(JSON.parse(JSON.stringify(anthropicBash(cordon)))).toEqual({ type: 'bash_20250124', name: 'bash' })
  })

  it('marks refusals, failures and mistaken input as errors', async () => {
    const { cordon } = await open()
    const bash = anthropicBash(cordon)
    const errors = async (input: unknown) => (await bash.answer({ id: 'a', input })).is_error
    expect(await errors({ command: 'true' })).toBe(false)
    expect(await errors({ restart: true })).toBe(false)
    for (const input of [{ command: 'false' }, { command: 'sudo id' }, {}, { command: 'true', cwd: '/' }, 'true'])
      expect(await errors(input), JSON.stringify(input)).toBe(true)
  })

  it('rejects in a tool runner with the text of a command that failed', async () => {
    const { cordon } = await open()
    const bash = anthropicBash(cordon)
    expect(await bash.run({ command: 'echo hi' })).toBe('hi')
    await expect(bash.run({ command: 'sudo id' })).rejects.toThrow(/^Command not allowed: sudo/)
  })
})
