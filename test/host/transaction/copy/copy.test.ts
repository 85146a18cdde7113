import { createDirect } from '../../../../src/host/launch/direct.js'
import { transactionContract } from '../../../contract/transaction.js'

transactionContract('copy', { launcher: createDirect, sandbox: () => ({ kind: 'none' }) })
