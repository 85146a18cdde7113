import { maskAttacks } from './masks.js'

maskAttacks('as whoever runs the tests')
