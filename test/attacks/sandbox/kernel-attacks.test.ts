import { kernelAttacks } from '../suites/kernel-attacks.js'

kernelAttacks('as the current user')
