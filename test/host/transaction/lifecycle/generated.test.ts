import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { furnish } from '../../../contract/transaction-tree.js'
import { fc } from '../../../property.js'
import { attributedTrees } from '../attributes/attribute-script.js'
import { actorArgv, type Deed, describeDeeds, type Part } from '../support/file-actor.js'
import { overlayWorkspace } from '../support/overlay-run.js'

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

/**
 * Actions that create, change, move, link, remove and replace; most of them fail some of the time, which is part of
 * it.
 */
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(single, name) },
  { weight: 3, arbitrary: fc.tuple(double, name, name) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('set', 'unset'), name, attribute) },
)
const sequence = fc.array(deed, { minLength: 1, maxLength: 6 })

/** Commits grow a tree, so that roll-backs meet more than the furniture; after these many it starts afresh. */
const PER_TREE = 50
/** Trees that one command changes at once, each by a sequence of its own: starting programs is what takes the time. */
const SIDE_BY_SIDE = 10
const AT_ONCE = 2

function launch(program: string, args: readonly string[]): Promise<Ending> {
  return new Promise((resolve, reject) => {
    execFile(program, args, (error) => {
      const status = error ? error.code : 0
      if (typeof status === 'number') resolve({ how: 'exited', status })
      else reject(error)
    })
  })
}

function launchActor({ sandbox, argv: [program = '', ...args] }: Plan): Promise<Ending> {
  if (sandbox.kind === 'none') return launch(program, args)
  const user = process.geteuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
  return launch('nsenter', [...user, '--mount', '--target', `${sandbox.within}`, '--', program, ...args])
}

const trees = attributedTrees()
afterAll(() => trees.close())

type Space = ReturnType<typeof overlayWorkspace>
type Sequences = readonly (readonly Deed[])[]

/**
 * For each tree its sequences. By overlay each tree is a root of its own; copies know one root, and the trees are
 * directories in it.
 */
async function sideBySide(trees: readonly Sequences[], over: Partial<Plan>): Promise<void> {
  const names = trees.map((_, index) => `tree-${index}`)
  const inOne = over.sandbox?.kind === 'none'
  const space = overlayWorkspace({ empty: true, ...(inOne ? {} : { roots: names }) })
  const directories = names.map((name) => join(inOne ? space.workspace : space.top, name))
  try {
    for (const directory of directories) {
      mkdirSync(directory, { recursive: true })
      furnish(directory)
    }
    for (let round = 0; round < PER_TREE; round += 1) {
      const parts = directories.map((directory, index) => ({ directory, deeds: trees[index]?.[round] ?? [] }))
      await oneRound(space, parts, round, over)
    }
  } finally {
    await space.remove()
  }
}

async function oneRound(space: Space, parts: readonly Part[], round: number, over: Partial<Plan>): Promise<void> {
  const run = async (status: number) => {
    const plan = space.plan('', { argv: actorArgv(parts, status), ...over })
    return (await space.transactions.during(plan, GRANT, launchActor)).report
  }
  const before = await lookAt(parts)
  await run(3)
  const taken = await lookAt(parts)
  // Once an undo has kept a second name of a file, copies put the file back without it.
  for (const [index, was] of before.entries()) {
    const [wanted] = namesIn([was])
    if (isDeepStrictEqual(was, wanted)) expect(taken[index]).toEqual(was)
    else expect(namesIn([taken[index] ?? was])).toEqual([wanted])
  }
  // Every fifth is also committed and undone; half of those are then done again, and stay.
  if (round % 5 !== 4) return
  const report = await run(0)
  expect(report?.outcome).toBe('committed')
  const after = await lookAt(parts)
  const undone = await space.transactions.undo(report?.id ?? '')
  expect([undone.conflicts, namesIn(await lookAt(parts))]).toEqual([[], namesIn(before)])
  if (round % 10 !== 4) return
  const redone = await space.transactions.undo(undone.record.id)
  expect([redone.conflicts, namesIn(await lookAt(parts))]).toEqual([[], namesIn(after)])
}

type Seen = readonly (readonly [said: string, tree: Readonly<Record<string, string>>])[]

/** Drops hard-link groups of one member: the undo store keeps hard links of the files that an undo removes. */
const namesIn = (seen: Seen): Seen =>
  seen.map(([said, tree]) => {
    const groups = Object.values(tree).map((line) => line.split(' ')[5])
    const isAlone = (group: string | undefined) => groups.filter((one) => one === group).length === 1
    const named = Object.entries(tree).map(([path, line]) => {
      const fields = line.split(' ')
      return [path, isAlone(fields[5]) ? fields.with(5, '').join(' ') : line] as const
    })
    return [said, Object.fromEntries(named)]
  })

/** Pairs the planned changes with the resulting tree, so that a failure shows both. */
async function lookAt(parts: readonly Part[]): Promise<Seen> {
  const seen: Seen[number][] = []
  for (const { directory, deeds } of parts) seen.push([describeDeeds(deeds), await trees.of(directory)])
  return seen
}

async function holds(sequences: number, seed: number, over: Partial<Plan>): Promise<void> {
  const all = fc.sample(sequence, { numRuns: sequences, seed })
  const share = (n: number) => all.slice(n * PER_TREE, (n + 1) * PER_TREE)
  const shares = Array.from({ length: sequences / PER_TREE }, (_, n) => share(n))
  const worker = async () => {
    while (shares.length > 0) await sideBySide(shares.splice(0, SIDE_BY_SIDE), over)
  }
  // Also after a failure the others remove what they have made.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

describe('over generated sequences of changes, rolling back restores the tree: content, mode, time, links, attributes', () => {
  it('two thousand of them by overlay', () => holds(2_000, 20_260_101, {}), 900_000)
  it('three hundred of them by copies', () => holds(300, 20_260_202, { sandbox: { kind: 'none' } }), 900_000)
})
