import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const O_PATH = 0o10000000

/** Copies a rejected file to a new quarantine directory. Returns the path of the copy; null if none can be made. */
export function keepCopy(path: Buffer): string | null {
  const parent = openSync(Buffer.from(dirname(path.toString('latin1')), 'latin1'), O_PATH | constants.O_DIRECTORY)
  try {
    const name = basename(path.toString('utf8'))
    const kept = join(mkdtempSync(join(tmpdir(), 'cordon-quarantine-')), name)
    // Started in the directory, whose own name may be no text.
    const options = { cwd: `/proc/self/fd/${parent}`, env: {}, stdio: 'ignore', timeout: 10_000 } as const
    return spawnSync('/bin/cp', ['-a', '--', name, kept], options).status === 0 ? kept : null
  } catch {
    return null
  } finally {
    closeSync(parent)
  }
}
