import { repositoryChanges } from '../suites/repository-changes.js'

const NOBODY = 65_534
/** Switches this process to an ordinary user. vitest gives every file its own process. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

repositoryChanges('as an ordinary user')
