import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cordon } from '../../src/index.js'
import { temporaryCordons } from '../temporary-cordon.js'

describe('replay of the audit log under another profile', () => {
  const open = temporaryCordons()
  /** Held or refused, so that nothing runs; it is on record all the same. */
  const ask = async (cordon: Cordon, script: string, options: Parameters<Cordon['run']>[1] = {}) =>
    cordon.run(script, options).catch(() => undefined)

  it('lists each command whose verdict changes once, with both rules and its count', async () => {
    const { cordon, workspace } = await open()
    for (let i = 0; i < 3; i++) await ask(cordon, 'git push')
    await ask(cordon, 'sudo id')
    await ask(cordon, 'touch /etc/x')
    expect(cordon.profiles.replay('workspace', 'developer')).toEqual({
      commands: 3,
      skipped: 0,
      newest: null,
      changes: [
        {
          command: 'touch /etc/x',
          cwd: workspace,
          agent: null,
          from: 'deny',
          to: 'ask',
          fromRule: 'path/outside-write',
          toRule: 'path/outside-write',
          times: 1,
        },
      ],
    })
    const { changes } = cordon.profiles.replay('workspace', 'strict')
    expect(changes.map(({ command, from, to, times }) => [command, from, to, times])).toEqual([
      ['git push', 'ask', 'deny', 3],
    ])
    expect(cordon.profiles.replay('open', 'open').changes).toEqual([])
    expect(cordon.audit.query()).toHaveLength(5)
  })

  it('treats a command in another directory or of another agent as a separate one', async () => {
    const { cordon, workspace } = await open()
    mkdirSync(join(workspace, 'sub'))
    await ask(cordon, 'git push')
    await ask(cordon, 'git push', { cwd: 'sub' })
    await ask(cordon, 'git push', { agent: 'a' })
    const { changes } = cordon.profiles.replay('developer', 'strict')
    expect(changes.map(({ cwd, agent }) => [cwd, agent]).sort()).toEqual(
      [
        [workspace, null],
        [join(workspace, 'sub'), null],
        [workspace, 'a'],
      ].sort(),
    )
  })

  it('reports that older records may exist past its limit', async () => {
    const { cordon } = await open()
    for (const script of ['git push', 'npm publish', 'sudo id']) await ask(cordon, script)
    expect(cordon.profiles.replay('developer', 'strict', { limit: 2 })).toMatchObject({ commands: 2, newest: 2 })
    expect(cordon.profiles.replay('developer', 'strict')).toMatchObject({ commands: 3, newest: null })
    expect(() => cordon.profiles.replay('developer', 'nope')).toThrow('There is no profile "nope"')
  })
})
