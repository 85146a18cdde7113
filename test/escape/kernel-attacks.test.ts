import { kernelAttacks } from './kernel-attacks.js'

kernelAttacks('as whoever runs the tests')
