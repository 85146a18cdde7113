import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A directory of this run's own for temporary files: what is left in it was left by this run and by no other on the
 * machine. Returns how to find that out, once everything is over, and removes it.
 */
export function ownTemporaryDirectory(): () => readonly string[] {
  const before = process.env.TMPDIR
  const directory = mkdtempSync(join(tmpdir(), 'cordon-run-'))
  // Some tests run as another user.
  chmodSync(directory, 0o1777)
  process.env.TMPDIR = directory
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    const left = readdirSync(directory)
    rmSync(directory, { recursive: true, force: true })
    return left
  }
}
