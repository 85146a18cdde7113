import { sandboxAttacks } from '../suites/sandbox.js'
import { plantedPaths } from '../support/planted-paths.js'

const who = process.getuid?.() === 0 ? 'as root' : 'as an ordinary user'
sandboxAttacks(who)
plantedPaths(who)
