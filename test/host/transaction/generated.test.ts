import { execFile } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import type { Ending } from '../../../src/core/model/ending.js'
import type { Plan } from '../../../src/core/model/plan.js'
import { fc } from '../../property.js'
import { attributedTrees } from './attribute-script.js'
import { actorArgv, type Deed, describeDeeds } from './file-actor.js'
import { overlayWorkspace } from './overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
const NAMES = [
  'a.txt',
  'src',
  'src/b.txt',
  'src/deep',
  'src/deep/c.txt',
  'linked',
  'link',
  'tool.sh',
  'empty',
  'new',
  'new/x',
  "od'd\nname",
  '.',
]
const name = fc.constantFrom(...NAMES)
const single = fc.constantFrom(
  ...[
    'append',
    'over',
    'unlink',
    'remove',
    'mkdir',
    'anew',
    'private',
    'public',
    'sticky',
    'touch',
    'truncate',
    'fifo',
  ],
)
const double = fc.constantFrom('rename', 'into', 'link', 'symlink', 'copy')
const attribute = fc.constantFrom('user.one', 'user.two')

/** Deeds that create, change, move, link, remove and disguise; most of them fail some of the time, which is part of it. */
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(single, name) },
  { weight: 3, arbitrary: fc.tuple(double, name, name) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('set', 'unset'), name, attribute) },
)
const sequence = fc.array(deed, { minLength: 1, maxLength: 6 })

/** Commits grow the tree, so that roll-backs meet more than the furniture; after these many it starts afresh. */
const PER_WORKSPACE = 50
const AT_ONCE = 4

function launch(program: string, args: readonly string[]): Promise<Ending> {
  return new Promise((resolve, reject) => {
    execFile(program, args, (error) => {
      const status = error ? error.code : 0
      if (typeof status === 'number') resolve({ how: 'exited', status })
      else reject(error)
    })
  })
}

function launchActor({ wall, argv: [program = '', ...args] }: Plan): Promise<Ending> {
  if (wall.kind === 'none') return launch(program, args)
  const user = process.geteuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
  return launch('nsenter', [...user, '--mount', '--target', `${wall.within}`, '--', program, ...args])
}

const trees = attributedTrees()
afterAll(() => trees.close())

async function inOneWorkspace(sequences: readonly (readonly Deed[])[], over: Partial<Plan>): Promise<void> {
  const space = overlayWorkspace()
  const run = async (deeds: readonly Deed[], status: number) => {
    const plan = space.plan('', { argv: actorArgv(space.workspace, deeds, status), ...over })
    return (await space.transactions.during(plan, GRANT, launchActor)).report
  }
  try {
    for (const [index, deeds] of sequences.entries()) {
      const said = describeDeeds(deeds)
      const before = await trees.of(space.workspace)
      await run(deeds, 3)
      expect([said, await trees.of(space.workspace)]).toEqual([said, before])
      if (index % 5 === 4) await undoneAgain(space, await run(deeds, 0), said, before)
    }
  } finally {
    await space.remove()
  }
}

type Tree = Readonly<Record<string, string>>
type Report = Awaited<ReturnType<ReturnType<typeof overlayWorkspace>['run']>>['report']

/** Every fifth is also committed and undone; half of those are then done again, and stay. */
async function undoneAgain(
  { workspace, transactions }: ReturnType<typeof overlayWorkspace>,
  report: Report,
  said: string,
  before: Tree,
): Promise<void> {
  if (report?.outcome !== 'committed') return expect([said, report?.outcome]).toEqual([said, 'none'])
  const after = await trees.of(workspace)
  const undone = await transactions.undo(report.id ?? '')
  expect([said, undone.conflicts, await trees.of(workspace)]).toEqual([said, [], before])
  if (said.length % 2 === 0) return
  const redone = await transactions.undo(undone.record.id)
  expect([said, redone.conflicts, await trees.of(workspace)]).toEqual([said, [], after])
}

async function holds(sequences: number, seed: number, over: Partial<Plan>): Promise<void> {
  const all = fc.sample(sequence, { numRuns: sequences, seed })
  const shares = Array.from({ length: sequences / PER_WORKSPACE }, (_, n) =>
    all.slice(n * PER_WORKSPACE, (n + 1) * PER_WORKSPACE),
  )
  const worker = async () => {
    for (let share = shares.pop(); share !== undefined; share = shares.pop()) await inOneWorkspace(share, over)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

describe('over generated sequences of changes, a tree taken back is what it was: content, mode, time, links, attributes', () => {
  it('two thousand of them by overlay', () => holds(2_000, 20_260_101, {}), 900_000)
  it('three hundred of them by copies', () => holds(300, 20_260_202, { wall: { kind: 'none' } }), 900_000)
})
