import { networkAttacks } from './network.js'

networkAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
