import { cloneAttacks } from '../suites/cloned-sandboxes.js'

cloneAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
