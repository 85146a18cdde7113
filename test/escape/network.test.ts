import { networkAttacks } from './network.js'
import { networkInTransaction } from './network-in-transaction.js'

networkAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
networkInTransaction('as whoever runs the tests')
