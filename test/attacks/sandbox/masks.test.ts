import { maskAttacks } from '../suites/masks.js'

maskAttacks('as the current user')
