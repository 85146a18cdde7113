import { writeSync } from 'node:fs'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import { launchInside } from './overlay-run.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const

/**
 * Runs a command, or does one thing to a past transaction, and dies by SIGKILL at the nth moment: before the nth call
 * that changes anything on the disk, or at a point the code itself names. Says how many there were. `die`: when the
 * command has ended, at the latest.
 */
const [stateDirectory = '', action = '', of = '', dieAt = '0'] = process.argv.slice(2)
const seen: string[] = []
const moment = (what: string): void => {
  seen.push(what)
  if (seen.length === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}
Object.assign(globalThis, { beforeChange: moment })
let ready = (): void => {}
const ahead = { size: 1, onReady: () => ready() }
const transactions = createTransactions({ stateDirectory, fault: moment, ...(action === 'run' ? { ahead } : {}) })
/** By an overlay that is mounted for it, and by one that was mounted ahead. */
async function runTwice(plan: Plan): Promise<void> {
  const made = new Promise<void>((resolve) => {
    ready = resolve
  })
  await transactions.during(plan, GRANT, launchInside)
  await made
  await transactions.during(plan, GRANT, launchInside)
}
const dieRunning = (plan: Plan): Promise<unknown> =>
  transactions.during(plan, GRANT, async (actual) => {
    const ending = await launchInside(actual)
    process.kill(process.pid, 'SIGKILL')
    return ending
  })
if (action === 'keep') await transactions.settle(of, 'keep')
else if (action === 'undo') await transactions.undo(of)
else if (action === 'run') await runTwice(JSON.parse(of))
else if (action === 'die') await dieRunning(JSON.parse(of))
else await transactions.recover()
await transactions.close()
const points = seen.length
writeSync(1, `${points}\n`)
