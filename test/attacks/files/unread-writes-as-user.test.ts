import { unreadWrites } from '../suites/unread-writes.js'

const NOBODY = 65_534
/** Switches this process to an ordinary user. vitest gives every file its own process. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

unreadWrites('as an ordinary user')
