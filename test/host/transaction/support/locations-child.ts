import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plan, Securing } from '../../../../src/core/model/policy/plan.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { planOf } from '../../../contract/launcher-plan.js'
import { furnish, treeOf } from '../../../contract/transaction-tree.js'
import { launchInside } from './overlay-run.js'

/** Runs in a mount namespace of its own, where it may mount what it likes; says what came of each place. */
const GRANT = { digest: '', by: 'policy', approval: null } as const
const SECURING: Securing = {
  onFailure: 'restore',
  rollbackCodes: null,
  scope: [],
  maxBytes: 10_000_000,
  required: true,
}

function workspaceOn(options: string) {
  const top = mkdtempSync(join(tmpdir(), 'cordon-place-'))
  const workspace = join(top, 'workspace')
  mkdirSync(workspace)
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'cordon-test', workspace])
  furnish(workspace)
  const state = join(top, 'state')
  const transactions = createTransactions({ stateDirectory: state })
  const mounts = [{ op: 'write', from: workspace, at: workspace }] as const
  const plan = (script: string, fields: Partial<Plan>): Plan =>
    planOf(
      workspace,
      { kind: 'bubblewrap', mounts, network: 'none' },
      { transaction: 'always', securing: SECURING, script, ...fields },
    )
  const run = async (script: string, fields: Partial<Plan> = {}) =>
    (await transactions.during(plan(script, fields), GRANT, launchInside)).report
  /** All but the root itself and the storePath in it. */
  const tree = () =>
    JSON.stringify(
      Object.entries(treeOf(workspace)).filter(([path]) => path !== '' && !path.startsWith('.cordon-undo')),
    )
  return { workspace, run, tree, transactions, at: (name: string) => join(workspace, name) }
}

async function onItsOwnFileSystem() {
  const { workspace, run, transactions, at } = workspaceOn('size=16m')
  const failed = await run('echo x >> a.txt; rm -r src; exit 3')
  const kept = await run('echo x >> a.txt; rm -r src; echo n > n')
  const made = readFileSync(at('a.txt'), 'utf8')
  const undone = await transactions.undo(kept?.id ?? '')
  await transactions.close()
  const names = readdirSync(workspace).filter((name) => name !== '.cordon-undo')
  return {
    outcomes: [failed?.outcome, kept?.outcome],
    made,
    conflicts: undone.conflicts,
    names: names.toSorted(),
    ignored: readFileSync(at('.cordon-undo/.gitignore'), 'utf8'),
  }
}

async function onOneThatIsFull() {
  const { run, tree, transactions, at } = workspaceOn('size=1m')
  writeFileSync(at('held'), Buffer.alloc(400_000, 'x'))
  const before = tree()
  const report = await run(
    'head -c 500000 /dev/zero > one; head -c 500000 /dev/zero > two; echo more >> held; rm a.txt',
  )
  const same = tree() === before
  await transactions.close()
  const small = await run('echo x > x')
  return { warned: report?.warning?.includes('No space left'), same, small: small?.outcome }
}

async function withAnotherMountBelow() {
  const { run, at } = workspaceOn('size=16m')
  mkdirSync(at('below'))
  const before = await run('echo b > b')
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'cordon-test', at('below')])
  writeFileSync(at('below/there'), 'there')
  const refused = await run('echo x > x').catch((error: Error) => error.message)
  const there = readFileSync(at('below/there'), 'utf8')
  execFileSync('umount', [at('below')])
  const after = await run('echo a > a')
  return { before: before?.outcome, refused, ran: existsSync(at('x')), there, after: after?.outcome }
}

async function readOnly() {
  const { workspace, run } = workspaceOn('size=16m')
  const before = await run('echo b > b')
  execFileSync('mount', ['-o', 'remount,bind,ro', workspace])
  return { before: before?.outcome, refused: await run('echo x > x').catch((error: Error) => error.message) }
}

writeSync(
  1,
  JSON.stringify({
    own: await onItsOwnFileSystem(),
    full: await onOneThatIsFull(),
    below: await withAnotherMountBelow(),
    readOnly: await readOnly(),
  }),
)
