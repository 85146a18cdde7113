import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeOf } from '../../contract/transaction-tree.js'
import { overlayWorkspace } from './overlay-run.js'

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
]
const quoted = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`
const name = fc.constantFrom(...NAMES).map(quoted)
const pair = fc.tuple(name, name)

/** Commands that create, change, move, link, remove and disguise; most of them fail some of the time, which is part of it. */
const command = fc.oneof(
  name.map((n) => `echo more >> ${n}`),
  name.map((n) => `echo over > ${n}`),
  name.map((n) => `rm -f ${n}`),
  name.map((n) => `rm -rf ${n}`),
  name.map((n) => `mkdir -p ${n}`),
  name.map((n) => `rm -rf ${n}; mkdir -p ${n}; echo in > ${n}/in`),
  name.map((n) => `chmod u=rw,go= ${n}`),
  name.map((n) => `chmod 755 ${n}`),
  name.map((n) => `touch -h -d '2001-02-03 04:05:06.789' ${n}`),
  name.map((n) => `truncate -s 100000 ${n}`),
  // Not under a name that others write to: that would wait for a reader.
  fc.constant('mkfifo pipe; mv pipe src/'),
  pair.map(([a, b]) => `mv -f ${a} ${b}`),
  pair.map(([a, b]) => `ln -f ${a} ${b}`),
  pair.map(([a, b]) => `ln -sfn ${a} ${b}`),
  pair.map(([a, b]) => `cp -a ${a} ${b}`),
  pair.map(([a, b]) => `cp -a ${a} ${b}.tmp && mv -T ${b}.tmp ${b}`),
)
const script = fc
  .array(command, { minLength: 1, maxLength: 6 })
  .map((commands) => `{ ${commands.join('; ')}; } 2>/dev/null`)

const SEQUENCES = 2_000
/** Commits grow the tree, so that roll-backs meet more than the furniture; after these many it starts afresh. */
const PER_WORKSPACE = 50
const AT_ONCE = 4

async function inOneWorkspace(scripts: readonly string[]): Promise<void> {
  const space = overlayWorkspace()
  try {
    for (const [index, commands] of scripts.entries()) {
      const before = treeOf(space.workspace)
      if (index % 5 === 4) await undoneAgain(space, commands, before)
      else {
        await space.run(`${commands}; exit 3`)
        expect([commands, treeOf(space.workspace)]).toEqual([commands, before])
      }
    }
  } finally {
    await space.transactions.close()
    execFileSync('chmod', ['-R', 'u+rwX', space.top])
    await space.remove()
  }
}

/** Every fifth is committed and undone; half of those are then done again, and stay. */
async function undoneAgain(
  space: ReturnType<typeof overlayWorkspace>,
  commands: string,
  before: ReturnType<typeof treeOf>,
) {
  const { report } = await space.run(`${commands}; exit 0`)
  if (report?.outcome !== 'committed') return expect(report?.outcome).toBe('none')
  const after = treeOf(space.workspace)
  const undone = await space.transactions.undo(report.id ?? '')
  expect([commands, undone.conflicts, treeOf(space.workspace)]).toEqual([commands, [], before])
  if (commands.length % 2 === 0) return
  const redone = await space.transactions.undo(undone.record.id)
  expect([commands, redone.conflicts, treeOf(space.workspace)]).toEqual([commands, [], after])
}

describe('over two thousand generated sequences of commands', () => {
  it('a tree taken back is identical to what it was: content, mode, time, links', async () => {
    const scripts = fc.sample(script, { numRuns: SEQUENCES, seed: 20_260_101 })
    const shares = Array.from({ length: SEQUENCES / PER_WORKSPACE }, (_, n) =>
      scripts.slice(n * PER_WORKSPACE, (n + 1) * PER_WORKSPACE),
    )
    const worker = async () => {
      for (let share = shares.pop(); share !== undefined; share = shares.pop()) await inOneWorkspace(share)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }, 400_000)
})
