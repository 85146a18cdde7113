import { diskLimitTests } from './disk-limit.js'
import { memoryLimitTests } from './memory-limit.js'

const NOBODY = 65_534
/** Switches this process to an ordinary user. vitest gives every file its own process. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

diskLimitTests('as an ordinary user')
memoryLimitTests('as an ordinary user')
