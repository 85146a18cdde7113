import { environmentAttacks } from '../suites/environment.js'

environmentAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
