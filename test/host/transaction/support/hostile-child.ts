import { writeSync } from 'node:fs'
import { attacked } from './hostile.js'

writeSync(1, JSON.stringify(await attacked()))
