import { createBubblewrap } from '../../../../src/host/launch/bubblewrap.js'
import { sandboxAround } from '../../../contract/launcher-plan.js'
import { transactionContract } from '../../../contract/transaction.js'

transactionContract('overlay', { launcher: createBubblewrap, sandbox: (workspace) => sandboxAround(workspace) })
