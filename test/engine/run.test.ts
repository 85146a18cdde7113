import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CordonError, Event } from '../../src/index.js'
import { heldId } from '../held-id.js'
import { temporaryCordons } from '../temporary-cordon.js'

describe('a request', () => {
  const open = temporaryCordons()

  it('an allowed command runs in the sandbox and returns its output, exit code and decision', async () => {
    const { cordon } = await open()
    const result = await cordon.run('echo out; echo err >&2; exit 3')
    expect(result).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      signal: null,
      timedOut: false,
      cancelled: false,
      truncated: false,
    })
    expect(result.decision.verdict).toBe('allow')
    expect(result.durationMs).toBeGreaterThan(0)
  })

  it('a denied command starts no process, changes nothing and is recorded with its rule', async () => {
    const { cordon, workspace } = await open()
    const events: Event[] = []
    await expect(
      cordon.run('touch made; sudo id', { agent: 'a', onEvent: (e) => events.push(e) }),
    ).rejects.toMatchObject({ code: 'COMMAND_BLOCKED' })
    expect(readdirSync(workspace)).toEqual([])
    expect(events.map((e) => e.type)).toEqual(['refused'])
    expect(cordon.audit.query()).toMatchObject([
      {
        agent: 'a',
        command: 'touch made; sudo id',
        outcome: 'blocked',
        verdict: 'deny',
        rule: expect.stringContaining('builtin/'),
      },
    ])
  })

  it('a command is recorded before it runs and again after it ends', async () => {
    const { cordon } = await open()
    const seen: string[] = []
    await cordon.run('echo hi', {
      onEvent: (e) => e.type === 'started' && seen.push(...cordon.audit.query().map((r) => r.outcome)),
    })
    expect(seen).toEqual(['running'])
    expect(cordon.audit.query()).toMatchObject([{ outcome: 'success', exitCode: 0, command: 'echo hi' }])
    expect(cordon.audit.verify()).toMatchObject({ ok: true })
  })

  it('a secret in a command is masked in the audit log and in log lines', async () => {
    const lines: string[] = []
    const { cordon } = await open({
      log: (level, message, fields) => lines.push(JSON.stringify([level, message, fields])),
    })
    await cordon.run('echo API_TOKEN=hunter2hunter2 > /dev/null')
    await cordon.exec('echo', ['--password', 'hunter2hunter2'])
    expect(JSON.stringify(cordon.audit.query())).not.toContain('hunter2')
    expect(lines.join('\n')).not.toContain('hunter2')
    expect(lines.length).toBeGreaterThan(0)
  })

  it('a listener gets the events in order, and an error of it does not affect the run', async () => {
    const { cordon } = await open()
    const types: string[] = []
    const result = await cordon.run('echo one; echo two >&2', {
      onEvent: (event) => {
        types.push(event.type)
        throw new Error('listener')
      },
    })
    expect(result.exitCode).toBe(0)
    expect(types[0]).toBe('started')
    expect(types.at(-1)).toBe('completed')
    expect(types.filter((t) => t === 'output').length).toBeGreaterThanOrEqual(2)
  })

  it.each([
    ['an empty command', '  ', {}, /Empty command/],
    ['a NUL byte', 'echo \0', {}, /NUL byte/],
    ['a lone surrogate', 'echo \uD800', {}, /surrogate/],
    ['a script of a megabyte', `echo ${'x'.repeat(1 << 20)}`, {}, /longer than/],
    ['ten thousand nested substitutions', '$('.repeat(10_000), {}, /nests more than/],
    ['an unknown field', 'echo', { sandbox: 'off' }, /unknown field sandbox/],
    ['a timeout that is no number', 'echo', { timeoutMs: 'soon' }, /timeoutMs/],
    ['a variable with a bad name', 'echo', { env: { 'A-B': '1' } }, /A-B/],
  ])(
    'with %s is refused with INVALID_ARGUMENTS that says so, and recorded',
    async (_name, script, options, message) => {
      const { cordon } = await open()
      const before = performance.now()
      const error: CordonError = await cordon.run(script, options as object).catch((e) => e)
      expect(error).toMatchObject({
        name: 'CordonError',
        code: 'INVALID_ARGUMENTS',
        message: expect.stringMatching(message),
      })
      expect(performance.now() - before).toBeLessThan(1_000)
      expect(cordon.audit.query()).toMatchObject([{ outcome: 'invalid' }])
    },
  )

  it('an argument that is not a string is refused, never coerced', async () => {
    const { cordon } = await open()
    const args: unknown = ['a', 1]
    await expect(cordon.exec('echo', args as string[])).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  it('a missing program gives NOT_FOUND and 127', async () => {
    const { cordon } = await open()
    await expect(cordon.exec('no-such-program')).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND', exit: 127 })
  })

  it('a file without execute permission, or a directory, gives 126 from run and from check', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'build.js'), '#!/usr/bin/env node\n', { mode: 0o644 })
    const refused = { code: 'PROGRAM_NOT_EXECUTABLE', exit: 126, message: expect.stringMatching(/chmod \+x/) }
    await expect(cordon.exec('./build.js')).rejects.toMatchObject(refused)
    await expect(cordon.exec('./')).rejects.toMatchObject({ exit: 126 })
    const checked = cordon.check({ program: './build.js' })
    expect(checked).toMatchObject({ plan: null, unenforceable: { code: 'PROGRAM_NOT_EXECUTABLE' } })
    expect(cordon.check({ program: 'no-such-program' }).unenforceable).toMatchObject({ code: 'PROGRAM_NOT_FOUND' })
  })

  it('metacharacters in a structured argument are literal', async () => {
    const { cordon, workspace } = await open()
    writeFileSync(join(workspace, 'precious'), '')
    expect((await cordon.exec('echo', ['; rm -rf precious'])).stdout).toBe('; rm -rf precious\n')
    expect(existsSync(join(workspace, 'precious'))).toBe(true)
  })

  it('a command cannot see the audit log or the approvals, even inside its workspace', async () => {
    const { workspace } = await open()
    const { cordon } = await open({ workspace, stateDirectory: join(workspace, 'state') })
    await expect(cordon.run('ls -A state')).rejects.toMatchObject({ code: 'PATH_NOT_ALLOWED' })
    const listing = "try { console.log(require('fs').readdirSync('st' + 'ate')) } catch (e) { console.log(e.code) }"
    expect(await cordon.run(`node -e "${listing}"`)).toMatchObject({ exitCode: 0, stdout: 'EACCES\n' })
    expect(readdirSync(join(workspace, 'state'))).toContain('audit.db')
  })

  it('a command cancelled before its start starts nothing and gives a cancelled result', async () => {
    const { cordon, workspace } = await open()
    const result = await cordon.run('touch made', { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ cancelled: true, exitCode: 130, error: { code: 'CANCELLED' } })
    expect(existsSync(join(workspace, 'made'))).toBe(false)
    expect(cordon.audit.query()).toMatchObject([{ outcome: 'cancelled' }])
  })

  it('keepOutput keeps the full output on disk and returns ranges of it', async () => {
    const { cordon } = await open()
    const result = await cordon.run('seq 1 100000', { keepOutput: true })
    expect(result.truncated).toBe(true)
    expect(await cordon.logs(result.id, 'stdout', 0, 6)).toEqual({
      text: '1\n2\n3\n',
      totalBytes: result.streams.stdoutBytes,
    })
  })
})

describe('sequence(), mustSucceed() and runMarkdown()', () => {
  const open = temporaryCordons()

  it('sequence() stops at the first failure and returns all results so far', async () => {
    const { cordon } = await open()
    const results = await cordon.sequence(['echo 1', { program: 'echo', args: ['2'] }, 'exit 4', 'echo never'])
    expect(results.map((r) => [r.stdout, r.exitCode])).toEqual([
      ['1\n', 0],
      ['2\n', 0],
      ['', 4],
    ])
  })

  it('mustSucceed() throws an error with the result after a failure', async () => {
    const { cordon } = await open()
    await expect(cordon.mustSucceed('echo why >&2; exit 9')).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: 'Command exited with code 9: why',
      details: { result: { exitCode: 9 } },
    })
    expect((await cordon.mustSucceed('echo fine')).stdout).toBe('fine\n')
  })

  it('runMarkdown() runs the bash blocks of a reply in order and summarises them; without a block nothing runs', async () => {
    const { cordon } = await open()
    const reply = 'First:\n```bash\necho a > f\n```\nthen\n```python\nprint(1)\n```\nand\n```bash\ncat f\n```\n'
    expect(await cordon.runMarkdown(reply)).toMatchObject({
      blocks: 2,
      summary: '$ echo a > f\n(no output)\n\n$ cat f\na',
    })
    expect(await cordon.runMarkdown('no code here')).toBeNull()
    expect(cordon.audit.query()).toHaveLength(2)
  })
})

describe('a held command', () => {
  const open = temporaryCordons()

  it('a command allowed always runs from then on, it alone, in this and the next engine', async () => {
    const asked: string[] = []
    const { cordon } = await open({
      onApproval: async ({ command }) => {
        asked.push(command)
        return 'always'
      },
    })
    await cordon.run('git push origin main')
    await cordon.run('git push origin main')
    expect(asked).toEqual(['git push origin main'])
    expect(cordon.check('git push origin main').verdict).toBe('allow')
    expect(cordon.check('git push origin other').verdict).toBe('ask')
  })

  it('an approved command runs once, and a changed command does not run', async () => {
    const { cordon } = await open()
    const error: CordonError = await cordon.run('git push').catch((e) => e)
    const approval = heldId(error)
    cordon.approvals.answer(approval, 'approved')
    await expect(cordon.run('git push --force', { approval })).rejects.toMatchObject({ code: 'APPROVAL_INVALID' })
    await expect(cordon.run('git push', { approval, agent: 'other' })).rejects.toMatchObject({
      code: 'APPROVAL_INVALID',
    })
    expect((await cordon.run('git push', { approval })).exitCode).not.toBe(0)
    await expect(cordon.run('git push', { approval })).rejects.toMatchObject({ code: 'APPROVAL_INVALID' })
  })

  it('a held command is denied if no person can answer', async () => {
    const { cordon } = await open({ unattended: true })
    await expect(cordon.run('eval "$(cat unknown)"')).rejects.toMatchObject({ code: 'POLICY_DENIED' })
  })
})
