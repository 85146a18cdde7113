import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { shapeOf, treeOf } from '../../../contract/transaction-tree.js'
import { launchInside, overlayWorkspace } from '../support/overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

async function launchDirectly({ argv: [program = '', ...args], cwd }: Plan): Promise<Ending> {
  return { how: 'exited', status: spawnSync(program, args, { cwd }).status ?? -1 }
}

const ADAPTERS = [
  { name: 'overlay', over: {}, launch: launchInside },
  { name: 'copy', over: { sandbox: { kind: 'none' } }, launch: launchDirectly },
] as const

/**
 * Commands on directories whose owner has no access: `shut` allows nothing, `listed` and `fixed` allow some of it.
 */
const DEEDS: Readonly<Record<string, string>> = {
  'opened and left so': 'chmod 755 shut listed fixed',
  'changed inside': 'chmod 700 shut; echo more >> shut/f; rm shut/g; echo n > shut/n; chmod 000 shut',
  'changed further down': 'chmod 700 shut; echo more >> shut/in/h; echo n > shut/in/n; chmod 000 shut',
  'the mode of a file inside changed': 'chmod 700 shut; chmod 600 shut/f shut/in/h; chmod 000 shut',
  'written to though read-only':
    'chmod u+w fixed; echo n > fixed/n; rm -f fixed/f; mv fixed/g fixed/o; chmod u-w fixed',
  'a file added to a list nobody may enter': 'chmod u+x listed; echo n > listed/n; chmod u-x listed',
  'removed with all they hold': 'chmod -R u+rwx shut listed fixed; rm -rf shut listed fixed',
  'removed and made anew': 'chmod -R 700 shut; rm -rf shut; mkdir shut; echo n > shut/n; chmod 000 shut',
  'replaced by a file': 'chmod -R 700 shut; rm -rf shut; echo file > shut',
  'made and closed':
    'mkdir -p new/in; echo n > new/n; echo m > new/in/m; chmod 0 new/in; chmod 0 new; mkdir e; chmod 0 e',
  'closed while they are full': 'echo more >> open/f; echo n > open/n; chmod 000 open',
}

function furnishClosed(directory: string): void {
  for (const [name, mode] of Object.entries({ shut: 0o000, listed: 0o600, fixed: 0o555, open: 0o755 })) {
    mkdirSync(join(directory, name, 'in'), { recursive: true })
    for (const file of ['f', 'g', 'in/h']) writeFileSync(join(directory, name, file), file)
    chmodSync(join(directory, name), mode)
  }
}

describe.each(ADAPTERS)('directories closed to their owner, by $name', ({ over, launch }) => {
  let space: ReturnType<typeof overlayWorkspace>
  beforeEach(() => {
    space = overlayWorkspace({ empty: true })
    furnishClosed(space.workspace)
  })
  afterEach(() => space.remove())
  const run = async (script: string) =>
    (await space.transactions.during(space.plan(script, over), GRANT, launch)).report

  it.each(Object.entries(DEEDS))(
    '%s: rolled back, kept, undone and done again, exactly',
    async (_, script) => {
      const before = treeOf(space.workspace)
      expect(await run(`${script}; exit 3`)).toMatchObject({ outcome: 'rolled-back', warning: null })
      expect(treeOf(space.workspace)).toEqual(before)

      const expected = join(space.top, 'expected')
      furnishClosed(expected)
      spawnSync('bash', ['-c', script], { cwd: expected })
      const report = await run(script)
      expect(report).toMatchObject({ outcome: 'committed', warning: null, conflicts: [] })
      const after = shapeOf(space.workspace)
      expect(after).toEqual(shapeOf(expected))

      const undone = await space.transactions.undo(report?.id ?? '')
      expect([undone.conflicts, treeOf(space.workspace)]).toEqual([[], before])
      const redone = await space.transactions.undo(undone.record.id)
      expect([redone.conflicts, shapeOf(space.workspace)]).toEqual([[], after])
    },
    120_000,
  )
})
