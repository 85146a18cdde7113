import { describe, expect, it } from 'vitest'
import { openAiShell } from '../../../src/surface/sdk/openai.js'
import { temporaryCordons } from '../../temporary-cordon.js'

describe('the shell of the Responses API', () => {
  const open = temporaryCordons()

  it('answers each command with its own outcome, within the length', async () => {
    const { cordon } = await open()
    const commands = ['echo one; exit 3', 'sudo id', 'git push --force', 'sleep 30', 'seq 1 1000; echo bad >&2']
    const action = { commands, timeout_ms: 1_000, max_output_length: 9 }
    const { output, ...rest } = await openAiShell(cordon).answer({ call_id: 'call', action })
    expect(rest).toEqual({ type: 'shell_call_output', call_id: 'call', max_output_length: 9 })
    const exits = output.map(({ outcome }) => (outcome.type === 'exit' ? outcome.exit_code : outcome.type))
    expect(exits).toEqual([3, 126, 123, 'timeout', 0])
    expect(output[0]).toMatchObject({ stdout: 'one\n', stderr: '' })
    expect(output[1]?.stderr).toContain('Command not allowed: sudo')
    expect(output[2]?.stderr).toContain('cordon approve')
    expect(output[4]).toMatchObject({ stdout: '1000\n', stderr: 'bad\n' })
  })
})
