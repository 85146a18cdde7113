import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Ending } from '../../../../src/core/model/run/ending.js'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { planOf } from '../../../contract/launcher-plan.js'
import { furnish } from '../../../contract/transaction-tree.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

/**
 * The directory is looked up after entering: a working directory opened before would be the one beneath the overlay.
 */
const ENTER = 'cd "$0" && exec "$@"'

/** Runs a script with a plan's overlays mounted and no other sandbox. */
export async function launchInside(plan: Plan): Promise<Ending> {
  if (plan.sandbox.kind !== 'bubblewrap' || plan.sandbox.within === undefined) throw new Error('no overlay')
  const user = process.geteuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
  const inside = [
    ...user,
    '--mount',
    '--target',
    `${plan.sandbox.within}`,
    '--',
    'sh',
    '-c',
    ENTER,
    plan.cwd,
    ...plan.argv,
  ]
  try {
    await promisify(execFile)('nsenter', inside)
    return { how: 'exited', status: 0 }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'number') throw error
    return { how: 'exited', status: code }
  }
}

/** A furnished workspace of its own with transactions by overlay. */
export function overlayWorkspace(over: { roots?: readonly string[]; empty?: boolean; stateInside?: boolean } = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-overlay-')))
  const workspace = join(top, 'workspace')
  const state = over.stateInside ? join(workspace, '.local/state') : join(top, 'state')
  mkdirSync(workspace)
  if (!over.empty) furnish(workspace)
  const roots = [workspace, ...(over.roots ?? []).map((name) => join(top, name))]
  for (const root of roots) mkdirSync(root, { recursive: true })
  const transactions = createTransactions({ stateDirectory: state })
  const mounts = roots.map((root) => ({ op: 'write', from: root, at: root }) as const)
  const plan = (script: string, fields: Partial<Plan> = {}): Plan =>
    planOf(workspace, { kind: 'bubblewrap', mounts, network: 'none' }, { transaction: 'always', script, ...fields })
  return {
    top,
    workspace,
    state,
    transactions,
    plan,
    at: (path: string) => join(workspace, path),
    run: (script: string, fields: Partial<Plan> = {}, meanwhile: () => unknown = () => {}) =>
      transactions.during(plan(script, fields), GRANT, async (actual) => {
        const ending = await launchInside(actual)
        await meanwhile()
        return ending
      }),
    async remove() {
      await transactions.close()
      await removeTree(top)
    },
  }
}
