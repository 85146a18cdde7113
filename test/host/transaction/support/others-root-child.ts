import { writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import { createBubblewrap } from '../../../../src/host/launch/bubblewrap.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { launchAndCollect, planOf, sandboxAround } from '../../../contract/launcher-plan.js'

/**
 * Runs a script in a workspace that belongs to another user, and prints its output and what came of the transaction.
 */
const [top = '', script = ''] = process.argv.slice(2)
const workspace = join(top, 'workspace')
const launcher = createBubblewrap()
const transactions = createTransactions({ stateDirectory: join(top, 'state') })
const plan: Plan = planOf(workspace, sandboxAround(workspace), { transaction: 'always', script })
let heard = ''
const { ending, report } = await transactions.during(
  plan,
  { digest: '', by: 'policy', approval: null },
  async (actual) => {
    const launched = await launchAndCollect(launcher, actual)
    heard = launched.stdout.toString()
    return launched.ending
  },
)
await launcher.close()
writeSync(1, JSON.stringify({ heard, ending, outcome: report?.outcome, warning: report?.warning }))
