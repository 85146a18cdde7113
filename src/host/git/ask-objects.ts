import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entriesOf } from '../untrusted-files/entries-of.js'

/** More packs or files than this, and git is not asked. */
const MOST_PACKS = 2_000
const MAX_OUTPUT = 4 * 1024 * 1024
const TIMEOUT_MS = 1_000

/** A command can put a pipe where git expects a file, and git would wait for it. */
function holdsOnlyFiles(directory: string): boolean {
  try {
    const stats = statSync(directory, { throwIfNoEntry: false })
    if (stats === undefined) return true
    const entries = entriesOf(directory, MOST_PACKS + 1)
    return stats.isDirectory() && entries.length <= MOST_PACKS && entries.every((entry) => entry.isFile())
  } catch {
    return false
  }
}

/**
 * Runs git on the objects of a directory and returns its output; null if it fails. Git works in an empty repository of
 * Cordon: it uses no configuration, ref, replacement, hook or cached graph of the real one, and fetches nothing.
 */
export function askObjects(objects: string, hashLength: number, args: readonly string[], input: string): string | null {
  if (!holdsOnlyFiles(`${objects}/pack`) || !holdsOnlyFiles(`${objects}/info`)) return null
  const own = mkdtempSync(join(tmpdir(), 'cordon-git-'))
  try {
    for (const name of ['objects', 'refs']) mkdirSync(join(own, name))
    const format = hashLength === 64 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : ''
    writeFileSync(join(own, 'config'), `[core]\n\tbare = true\n\tcommitGraph = false\n${format}`)
    writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
    const { status, stdout } = spawnSync('git', ['--no-replace-objects', ...args], {
      cwd: '/',
      input,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GIT_DIR: own,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
    })
    return status === 0 ? stdout.toString('latin1') : null
  } catch {
    return null
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
