import { memoryLimitTests } from './memory-limit.js'

memoryLimitTests('as the current user')
