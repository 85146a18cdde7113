import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { createCordon } from '../../../src/node.js'

describe('the sink of the audit log', () => {
  let top: string
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-sink-')))
    for (const name of ['workspace', 'home', 'home/.config', 'home/.config/cordon', 'state']) mkdirSync(join(top, name))
  })
  afterEach(() => removeTree(top))
  const settings = (text: string, place = 'home/.config/cordon/cordon.toml'): void =>
    writeFileSync(join(top, place), text)
  const rows = (): readonly { seq: number; digest: string; body: { kind: string } }[] =>
    readFileSync(join(top, 'rows'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  async function runs(): Promise<string> {
    const env = { PATH: '/usr/bin:/bin', HOME: join(top, 'home') }
    const cordon = await createCordon({
      workspace: join(top, 'workspace'),
      stateDirectory: join(top, 'state'),
      env,
      warm: 0,
    })
    try {
      const { stdout } = await cordon.run('echo hi')
      const verified = await cordon.audit.verify()
      expect(verified.ok).toBe(true)
      return stdout
    } finally {
      await cordon.close()
    }
  }

  it.each([
    ['a file', () => `audit.sink = "${top}/rows"`],
    ['a command', () => `audit.sink = ["sh", "-c", "cat >> ${top}/rows"]`],
  ])('gets every row as it is written: %s', async (_name, text) => {
    settings(text())
    expect(await runs()).toBe('hi\n')
    expect(rows().map(({ seq, body }) => [seq, body.kind])).toEqual([
      [1, 'began'],
      [2, 'ended'],
    ])
  })

  it.each([
    ['a directory that is not there', () => `"${top}/missing/rows"`],
    ['a symlink', () => `"${top}/link"`],
    ['a command that fails', () => '["sh", "-c", "exit 3"]'],
    ['a program that is not there', () => '["cordon-missing"]'],
  ])('that fails is said, and refuses where it is required: %s', async (_name, sink) => {
    symlinkSync(join(top, 'rows'), join(top, 'link'))
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      settings(`audit.sink = ${sink()}`)
      expect(await runs()).toBe('hi\n')
      expect(said.mock.calls.filter(([text]) => String(text).includes('The audit sink'))).toHaveLength(1)
      settings(`audit = { sink = ${sink()}, required = true }`)
      await expect(runs()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
    } finally {
      said.mockRestore()
    }
  })

  it('is refused in the settings of a project', async () => {
    settings(`audit.sink = "${top}/rows"`, 'workspace/cordon.toml')
    await expect(runs()).rejects.toMatchObject({ code: 'SETTINGS_INVALID' })
  })

  it.each([
    ['a log that is gone with its head and key', () => undefined],
    ['another log in its place', () => runs()],
  ])('is compared with when the log is verified: %s', async (_, again) => {
    settings(`[audit]\nsink = "${join(top, 'rows')}"\n`)
    await runs()
    const kept = readFileSync(join(top, 'rows'))
    for (const name of readdirSync(join(top, 'state'))) rmSync(join(top, 'state', name), { recursive: true })
    settings('')
    await again()
    writeFileSync(join(top, 'rows'), kept)
    settings(`[audit]\nsink = "${join(top, 'rows')}"\n`)
    const env = { PATH: '/usr/bin:/bin', HOME: join(top, 'home') }
    const cordon = await createCordon({ workspace: join(top, 'workspace'), stateDirectory: join(top, 'state'), env })
    const reason = expect.stringContaining('row 1 of the audit sink')
    expect(await cordon.audit.verify()).toMatchObject({ ok: false, reason })
    await cordon.close()
  })
})
