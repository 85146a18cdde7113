import { writeSync } from 'node:fs'
import { createTransactions } from '../../../src/host/transaction/transactions.js'

/**
 * Does one thing to a past transaction and dies by SIGKILL at the nth moment: before the nth call that changes anything on the disk, or at a
 * point the code itself names. Says how many there were.
 */
const [stateDirectory = '', action = '', id = '', dieAt = '0'] = process.argv.slice(2)
const seen: string[] = []
const moment = (what: string): void => {
  seen.push(what)
  if (seen.length === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}
Object.assign(globalThis, { beforeChange: moment })
const transactions = createTransactions({ stateDirectory, fault: moment })
if (action === 'keep') await transactions.settle(id, 'keep')
else if (action === 'undo') await transactions.undo(id)
else await transactions.recover()
await transactions.close()
const points = seen.length
writeSync(1, `${points}\n`)
