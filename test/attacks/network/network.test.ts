import { networkAttacks } from '../suites/network.js'
import { networkInTransaction } from '../support/network-in-transaction.js'

networkAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
networkInTransaction('as the current user')
