import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { wallAround } from '../../contract/launcher-plan.js'
import { transactionContract } from '../../contract/transaction.js'

transactionContract('overlay', { launcher: createBubblewrap, wall: (workspace) => wallAround(workspace) })
