import { hiddenFilesInGit } from './hidden-files-in-git.js'

const NOBODY = 65_534
/** The rest of this file's process lives as an ordinary user; vitest gives every file a process of its own. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

hiddenFilesInGit('as an ordinary user')
