import { copyAttacks } from './copied-walls.js'

copyAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
