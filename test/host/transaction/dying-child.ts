import { writeSync } from 'node:fs'
import { createTransactions } from '../../../src/host/transaction/transactions.js'

/** Does one thing to a past transaction and dies by SIGKILL at the nth point at which it could; says how many there were. */
const [stateDirectory = '', action = '', id = '', dieAt = '0'] = process.argv.slice(2)
let points = 0
const transactions = createTransactions({
  stateDirectory,
  fault: () => {
    points += 1
    if (points === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
  },
})
if (action === 'keep') await transactions.settle(id, 'keep')
else if (action === 'undo') await transactions.undo(id)
else await transactions.recover()
await transactions.close()
writeSync(1, `${points}\n`)
