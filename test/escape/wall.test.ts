import { wallAttacks } from './wall.js'

wallAttacks(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
