import { plantedPlaces } from './planted-places.js'
import { wallAttacks } from './wall.js'

const who = process.getuid?.() === 0 ? 'as root' : 'as an ordinary user'
wallAttacks(who)
plantedPlaces(who)
