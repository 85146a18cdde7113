import { diskLimitTests } from './disk-limit.js'
import { memoryLimitTests } from './memory-limit.js'

const NOBODY = 65_534
/** The rest of this file's process lives as an ordinary user; vitest gives every file a process of its own. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

diskLimitTests('as an ordinary user')
memoryLimitTests('as an ordinary user')
