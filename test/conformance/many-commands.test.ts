import { existsSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryCordons } from '../temporary-cordon.js'
import { refusal } from './workbench.js'

const fence = (...blocks: string[]): string =>
  blocks.map((block) => `\`\`\`bash\n${block}\n\`\`\``).join('\n\ntext\n\n')

/** Calls that run several commands, and the errors of calls that run one. */
describe('several commands', () => {
  const open = temporaryCordons()

  it('a refused or held command of a sequence keeps the results before it', async () => {
    const { cordon } = await open()
    const error = await refusal(cordon.sequence(['echo 1', 'echo 2', 'sudo id']), 'COMMAND_BLOCKED')
    expect(error.is('COMMAND_BLOCKED') && error.details.results?.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n'])
    const held = await refusal(cordon.sequence(['echo 1', 'git push']), 'CONFIRMATION_REQUIRED')
    expect(held.is('APPROVAL_REQUIRED') && held.details.results).toHaveLength(1)
    expect(held.is('APPROVAL_REQUIRED') && held.details.approval).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      expires: expect.stringMatching(/Z$/),
    })
  })

  it.each([
    ['timeout', 'sleep 30', { timeoutMs: 1_000 }, 'TIMED_OUT'],
    ['policy', 'exit 126', {}, 'COMMAND_BLOCKED'],
    ['failure', 'exit 3', {}, 'COMMAND_FAILED'],
  ] as const)('mustSucceed throws the code that fits: %s', async (_, script, options, code) => {
    const { cordon } = await open()
    expect((await refusal(cordon.mustSucceed(script, options), code)).details).toMatchObject({
      result: { id: expect.any(String) },
    })
  })

  it('mustSucceed throws the code of a limit and of a cancel', async () => {
    const { cordon } = await open({ profile: { extends: 'workspace', limits: { cpu_seconds: 1 } } })
    await refusal(cordon.mustSucceed('while :; do :; done'), 'LIMIT_EXCEEDED')
    const abort = new AbortController()
    const onEvent = ({ type }: { type: string }): void => void (type === 'started' && abort.abort())
    await refusal(cordon.mustSucceed('sleep 30', { signal: abort.signal, onEvent }), 'CANCELLED')
  })

  it('an onApproval that throws refuses the command and names the cause', async () => {
    for (const onApproval of [
      () => Promise.reject(new Error('the chat is gone')),
      () => {
        throw new Error('the chat is gone')
      },
    ]) {
      const { cordon } = await open({ onApproval })
      const error = await refusal(cordon.run('git push'), 'POLICY_DENIED')
      expect(error.message).toContain('onApproval failed: the chat is gone')
      expect(error.message).not.toContain('defect')
      expect(cordon.approvals.list()[0]?.state).toBe('denied')
    }
  })

  it('close gives no raw system error when its directories are gone', async () => {
    const { cordon, workspace, state } = await open()
    await cordon.run('echo x > a')
    rmSync(state, { recursive: true, force: true })
    rmSync(workspace, { recursive: true, force: true })
    const thrown = await cordon.close().then(
      () => null,
      (error: unknown) => error,
    )
    expect(thrown === null || (thrown as Error).name === 'CordonError').toBe(true)
  })
})

describe('a reply in Markdown', () => {
  const open = temporaryCordons()

  it('runs blocks in block quotes and list items, and none that stands in a comment or another language', async () => {
    const { cordon } = await open()
    const reply = [
      '> ```bash\n> echo quoted\n> ```',
      '- item\n\n  ```bash\n  echo listed\n  ```',
      '1. x\n   > ```bash\n   > echo both\n   > ```',
      '<!--\n```bash\necho hidden\n```\n-->',
      '```python\nprint(1)\n```',
      '    ```bash\n    echo indented code\n    ```',
      '```bash\necho never closed',
    ].join('\n\n')
    const outcome = await cordon.runMarkdown(reply)
    expect(outcome?.results.map(({ stdout }) => stdout)).toEqual(['quoted\n', 'listed\n', 'both\n'])
    expect(await cordon.runMarkdown('no block')).toBeNull()
  })

  it('several held blocks are approved one by one, and the reply runs to its end', async () => {
    const { cordon } = await open({ profile: { extends: 'workspace', confirm: ['one', 'three'] } })
    const reply = fence('echo one >> log', 'echo two >> log', 'echo three >> log', 'cat log')
    const first = await refusal(cordon.runMarkdown(reply), 'CONFIRMATION_REQUIRED')
    if (!first.is('APPROVAL_REQUIRED')) throw first
    const id = first.details.approval?.id ?? ''
    cordon.approvals.answer(id, 'approved')
    const second = await refusal(cordon.runMarkdown(reply, { approval: id }), 'CONFIRMATION_REQUIRED')
    if (!second.is('APPROVAL_REQUIRED')) throw second
    expect(second.details).toMatchObject({ next: 2, results: [{}, {}] })
    const other = second.details.approval?.id ?? ''
    cordon.approvals.answer(other, 'approved')
    const end = await cordon.runMarkdown(reply, { approval: other, from: second.details.next ?? 0 })
    expect(end?.results.at(-1)?.stdout).toBe('one\ntwo\nthree\n')
    expect(end?.next).toBeNull()
  })

  it('a block that timed out ends the reply unless continueOnError', async () => {
    const { cordon, workspace } = await open()
    const reply = fence('sleep 30', 'touch after')
    const ended = await cordon.runMarkdown(reply, { timeoutMs: 1_000 })
    expect(ended).toMatchObject({ blocks: 2, next: 1 })
    expect(ended?.summary).toContain('Command timed out after 1s')
    expect(ended?.summary).toContain('1 of 2 blocks did not run.')
    expect(existsSync(`${workspace}/after`)).toBe(false)
    expect(await cordon.runMarkdown(reply, { timeoutMs: 1_000, continueOnError: true })).toMatchObject({ next: null })
    expect(existsSync(`${workspace}/after`)).toBe(true)
  })

  it('a refused block is told in the summary with continueOnError', async () => {
    const { cordon } = await open()
    const outcome = await cordon.runMarkdown(fence('sudo id', 'echo on'), { continueOnError: true })
    expect(outcome).toMatchObject({
      errors: [{ block: 0, error: { code: 'COMMAND_BLOCKED' } }],
      results: [{ stdout: 'on\n' }],
    })
    expect(outcome?.summary).toMatch(/\$ sudo id\nCommand not allowed: sudo/)
  })

  it('the summary tells a roll-back, and the filter statistics are sums with the worst confidence', async () => {
    const { cordon } = await open()
    const outcome = await cordon.runMarkdown(fence('echo x > a; exit 2', 'git init -q .; git status', 'git status'), {
      onFailure: 'restore',
    })
    expect(outcome?.summary).toContain('Changes were rolled back: 0 restored, 1 deleted')
    const filters = outcome?.results.flatMap(({ filter }) => filter ?? []) ?? []
    if (filters.length > 0)
      expect(outcome?.filter?.rawChars).toBe(filters.reduce((sum, { rawChars }) => sum + rawChars, 0))
  })

  it('a misspelt option is refused', async () => {
    const { cordon } = await open()
    const error = await refusal(
      cordon.runMarkdown(fence('true'), { continueOnErr: true } as never),
      'INVALID_ARGUMENTS',
    )
    expect(error.message).toContain('unknown field continueOnErr')
  })
})
