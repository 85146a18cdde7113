import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { treeOf } from '../../../contract/transaction-tree.js'
import { overlayWorkspace } from '../support/overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

async function launchDirectly({ argv: [program = '', ...args], cwd }: Plan): Promise<Ending> {
  return { how: 'exited', status: spawnSync(program, args, { cwd }).status ?? -1 }
}

describe('names of one file, secured by copies', () => {
  let space: ReturnType<typeof overlayWorkspace>
  beforeEach(() => {
    space = overlayWorkspace({ empty: true })
    writeFileSync(space.at('f'), 'f')
    for (const name of ['open', 'listed', 'shut']) {
      mkdirSync(space.at(name))
      linkSync(space.at('f'), space.at(`${name}/f`))
    }
    chmodSync(space.at('listed'), 0o600)
    chmodSync(space.at('shut'), 0o000)
  })
  afterEach(() => space.remove())
  const run = async (script: string) =>
    (await space.transactions.during(space.plan(script, { sandbox: { kind: 'none' } }), GRANT, launchDirectly)).report

  it.each([
    ['the mode of which was changed, some of them in closed directories', 'chmod 755 f'],
    ['one of which was removed and the mode of the others changed', 'rm f; chmod 755 open/f'],
    ['one of which was replaced and the mode of the others changed', 'chmod 755 f; echo n > n; mv n open/f'],
    ['that were written to', 'echo more >> f'],
    ['one of which was removed', 'rm open/f'],
  ])('%s: an undo or roll-back restores the hard links of the file', async (_, script) => {
    const before = treeOf(space.workspace)
    expect(await run(`${script}; exit 3`)).toMatchObject({ outcome: 'rolled-back', warning: null })
    expect(treeOf(space.workspace)).toEqual(before)

    const report = await run(script)
    expect(report).toMatchObject({ outcome: 'committed', warning: null })
    const undone = await space.transactions.undo(report?.id ?? '')
    expect([undone.conflicts, treeOf(space.workspace)]).toEqual([[], before])
  })
})
