import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import { createBubblewrap } from '../../../../src/host/launch/bubblewrap.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { launchAndCollect, planOf, sandboxAround } from '../../../contract/launcher-plan.js'
import { furnish, treeOf } from '../../../contract/transaction-tree.js'

/** As the current user: a commit, a roll-back and an undo inside the real sandbox; prints the outcome of each. */
const [top = ''] = process.argv.slice(2)
const workspace = join(top, 'workspace')
furnish(workspace)
const launcher = createBubblewrap()
const transactions = createTransactions({ stateDirectory: join(top, 'state') })
const run = async (script: string) => {
  const plan: Plan = planOf(workspace, sandboxAround(workspace), { transaction: 'always', script })
  const heard = { stdout: '' }
  const { report } = await transactions.during(plan, { digest: '', by: 'policy', approval: null }, async (actual) => {
    const { ending, stdout } = await launchAndCollect(launcher, actual)
    heard.stdout = stdout.toString()
    return ending
  })
  return { report, ...heard }
}
const before = treeOf(workspace)
const failed = await run('id -u; rm -rf a.txt src; echo n > n; exit 3')
const same = JSON.stringify(treeOf(workspace)) === JSON.stringify(before)
const kept = await run('echo x >> a.txt; rm -rf src; mkdir src; echo n > src/n; stat -c %u a.txt')
const text = readFileSync(join(workspace, 'a.txt'), 'utf8')
const undone = await transactions.undo(kept.report?.id ?? '')
const back = JSON.stringify(treeOf(workspace)) === JSON.stringify(before)
writeFileSync(join(workspace, 'after'), '')
await launcher.close()
writeSync(
  1,
  JSON.stringify({
    uid: failed.stdout.trim(),
    owner: kept.stdout.trim(),
    outcomes: [failed.report?.outcome, kept.report?.outcome, kept.report?.warning],
    same,
    text,
    conflicts: undone.conflicts,
    back,
  }),
)
