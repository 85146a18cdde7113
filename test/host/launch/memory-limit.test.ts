import { memoryLimitTests } from './memory-limit.js'

memoryLimitTests('as whoever runs the tests')
