import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { createAttributeClient } from '../../../../src/host/transaction/attributes/attributes.js'
import { launchInside, overlayWorkspace } from '../support/overlay-run.js'
import { ATTRIBUTE_FUNCTIONS, attributedTrees } from './attribute-script.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

async function launchDirectly({ argv: [program = '', ...args], cwd }: Plan): Promise<Ending> {
  return { how: 'exited', status: spawnSync(program, args, { cwd }).status ?? -1 }
}

const ADAPTERS = [
  { name: 'overlay', over: {}, launch: launchInside },
  { name: 'copy', over: { sandbox: { kind: 'none' } }, launch: launchDirectly },
] as const

/** Everything that can be done to the attributes of what was there, and of what is made. */
const DEEDS: Readonly<Record<string, { readonly script: string; readonly changed: readonly string[] }>> = {
  'set on a file': { script: 'set_attribute f user.new 1', changed: ['f'] },
  'changed on a file': { script: 'set_attribute f user.had other', changed: ['f'] },
  'removed from a file': { script: 'remove_attribute f user.had', changed: ['f'] },
  'set on a file along with its mode': { script: 'set_attribute f user.new 1; chmod 640 f', changed: ['f'] },
  'set on a file along with its content': { script: 'set_attribute f user.new 1; echo x >> f', changed: ['f'] },
  'set on a file that is then read-only': { script: 'set_attribute f user.new 1; chmod 400 f', changed: ['f'] },
  'set on a read-only file': {
    script: 'chmod 600 fixed; set_attribute fixed user.new 1; chmod 400 fixed',
    changed: ['fixed'],
  },
  'set on a directory': { script: 'set_attribute d user.new 1', changed: ['d'] },
  'removed from a directory': { script: 'remove_attribute d user.had', changed: ['d'] },
  'set on a directory that is then written to': {
    script: 'set_attribute d user.new 1; echo x > d/x',
    changed: ['d', 'd/x'],
  },
  'set on the workspace itself': { script: 'set_attribute . user.new 1; remove_attribute . user.had', changed: ['.'] },
  'set on a new directory': {
    script: 'mkdir -p n/m; set_attribute n/m user.new 1; set_attribute n user.new 2',
    changed: ['n', 'n/m'],
  },
  'lost with the directory and set on its successor': {
    script: 'rm -r d; mkdir d; set_attribute d user.other 1; echo x > d/x',
    changed: ['d', 'd/in', 'd/x'],
  },
  'set on a directory that is then closed': { script: 'set_attribute d user.new 1; chmod 600 d', changed: ['d'] },
  'removed from a directory that is then shut': {
    script: 'remove_attribute d user.had; chmod 000 d',
    changed: ['d'],
  },
  'set on the workspace itself, which is then closed': {
    script: 'set_attribute . user.new 1; chmod 600 .',
    changed: ['.'],
  },
  'set on a closed directory that is closed again': {
    script: 'chmod 700 shut; set_attribute shut user.new 1; remove_attribute shut user.had; chmod 000 shut',
    changed: ['shut'],
  },
  'set in a closed directory': {
    script: 'chmod 700 shut; set_attribute shut/in user.new 1; set_attribute shut/e user.new 1; chmod 000 shut',
    changed: ['shut/e', 'shut/in'],
  },
  'left alone on a closed directory that is opened': { script: 'chmod 755 shut', changed: ['shut'] },
  'lost with a closed directory': {
    script: 'chmod 700 shut; rm -r shut',
    changed: ['shut', 'shut/e', 'shut/in'],
  },
  'lost with the directory': { script: 'rm -r d', changed: ['d', 'd/in'] },
  'moved along with a directory': {
    script: 'mv d moved',
    changed: ['d', 'd/in', 'moved', 'moved/in'],
  },
}

describe.each(ADAPTERS)('extended attributes, by $name', ({ name, over, launch }) => {
  let space: ReturnType<typeof overlayWorkspace>
  const trees = attributedTrees()
  const attributeClient = createAttributeClient()
  afterAll(() => {
    trees.close()
    attributeClient.close()
  })
  beforeEach(async () => {
    space = overlayWorkspace({ empty: true })
    mkdirSync(space.at('d'))
    writeFileSync(space.at('d/in'), 'in')
    writeFileSync(space.at('f'), 'f')
    mkdirSync(space.at('shut/e'), { recursive: true })
    writeFileSync(space.at('shut/in'), 'in')
    writeFileSync(space.at('fixed'), 'fixed')
    for (const name of ['.', 'd', 'f', 'fixed', 'shut', 'shut/e', 'shut/in'])
      await attributeClient.write(Buffer.from(space.at(name)), { 'user.had': 'had' })
    chmodSync(space.at('fixed'), 0o400)
    chmodSync(space.at('shut'), 0o000)
  })
  afterEach(() => space.remove())
  const run = async (script: string) => {
    const plan = space.plan(`${ATTRIBUTE_FUNCTIONS}; ${script}`, over)
    return (await space.transactions.during(plan, GRANT, launch)).report
  }
  const attributes = async (...names: string[]) =>
    attributeClient.read(names.map((name) => Buffer.from(space.at(name))))

  it.each(Object.entries(DEEDS))(
    '%s: rolled back, kept, undone and done again',
    async (_, { script, changed }) => {
      const before = await trees.of(space.workspace)
      expect(await run(`${script}; exit 3`)).toMatchObject({ outcome: 'rolled-back', warning: null })
      expect(await trees.of(space.workspace)).toEqual(before)

      const report = await run(script)
      expect(report).toMatchObject({ outcome: 'committed', warning: null, conflicts: [] })
      expect([...new Set(report?.changes?.list.map(({ path }) => path))].toSorted()).toEqual(
        changed.map((name) => join(space.workspace, name)).toSorted(),
      )
      const after = await trees.of(space.workspace)
      expect(after).not.toEqual(before)

      const undone = await space.transactions.undo(report?.id ?? '')
      expect([undone.conflicts, await trees.of(space.workspace)]).toEqual([[], before])
      const redone = await space.transactions.undo(undone.record.id)
      expect([redone.conflicts, await trees.of(space.workspace)]).toEqual([[], after])
    },
    120_000,
  )

  it('are as the command set them, on files and on directories', async () => {
    await run('set_attribute f user.new 1; remove_attribute f user.had; set_attribute d user.new 2; echo x > d/x')
    expect(await attributes('f', 'd', 'd/x', '.')).toEqual([
      { 'user.new': '1' },
      { 'user.had': 'had', 'user.new': '2' },
      {},
      { 'user.had': 'had' },
    ])
  })

  it('that others set on a directory meanwhile stay', async () => {
    const report = await run('set_attribute d user.new 1')
    await attributeClient.write(Buffer.from(space.at('d')), { 'user.had': 'had', 'user.new': '1', 'user.theirs': '1' })
    await space.transactions.undo(report?.id ?? '')
    expect(await attributes('d')).toEqual([{ 'user.had': 'had', 'user.theirs': '1' }])
  })

  it('set on many closed directories are kept and put back, and all are closed as they were', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `many/${index}`)
    for (const name of names) mkdirSync(space.at(name), { recursive: true })
    for (const name of names) chmodSync(space.at(name), 0o000)
    const before = await trees.of(space.workspace)
    const report = await run('for d in many/*; do chmod 700 $d; set_attribute $d user.new 1; chmod 000 $d; done')
    expect(report?.changes?.list).toHaveLength(100)
    await space.transactions.undo(report?.id ?? '')
    expect(await trees.of(space.workspace)).toEqual(before)
  })

  it('set on a file that is then closed are kept', async () => {
    await run('set_attribute f user.new 1; chmod 000 f')
    chmodSync(space.at('f'), 0o600)
    expect(await attributes('f')).toEqual([{ 'user.had': 'had', 'user.new': '1' }])
  })

  it.runIf(name === 'overlay')('of a file that is closed are no change', async () => {
    const report = await run('chmod 000 f')
    expect(report?.changes?.list.map(({ kind }) => kind)).toEqual(['mode-changed'])
  })

  it.runIf(name === 'overlay')('set on a closed file that is opened are kept', async () => {
    chmodSync(space.at('f'), 0o000)
    await run('chmod 600 f; set_attribute f user.new 1')
    expect(await attributes('f')).toEqual([{ 'user.had': 'had', 'user.new': '1' }])
  })

  it.runIf(name === 'copy' && process.geteuid?.() !== 0)('and copies of a closed file cannot be had', async () => {
    chmodSync(space.at('f'), 0o000)
    expect(await run('true')).toMatchObject({ outcome: 'unavailable' })
  })

  it('of a workspace that nobody may write to, and of a directory in it, are kept and put back', async () => {
    chmodSync(space.workspace, 0o555)
    const before = await trees.of(space.workspace)
    const report = await run('set_attribute d user.new 1; echo x > d/x')
    expect(report).toMatchObject({ outcome: 'committed', warning: null, conflicts: [] })
    expect(await attributes('.', 'd')).toEqual([{ 'user.had': 'had' }, { 'user.had': 'had', 'user.new': '1' }])
    await space.transactions.undo(report?.id ?? '')
    expect(await trees.of(space.workspace)).toEqual(before)
  })

  it('do not make a change of what only looked at them', async () => {
    expect(await run('cat f d/in; ls -l d; touch -r f f')).toMatchObject({ outcome: 'none' })
  })
})
