import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const O_PATH = 0o10000000
/** Time for all copies of one review. */
const MAX_MS = 10_000

const run = promisify(execFile)

/** Copies rejected files to quarantine, for a limited time in all. */
export class KeptCopies {
  #msLeft = MAX_MS

  /** Copies a file to a new quarantine directory. Returns the path of the copy; null if none was made. */
  async add(path: Buffer): Promise<string | null> {
    if (this.#msLeft < 1) return null
    const began = performance.now()
    const kept = await copyToQuarantine(path, this.#msLeft).catch(() => null)
    this.#msLeft -= performance.now() - began
    return kept
  }
}

async function copyToQuarantine(path: Buffer, timeout: number): Promise<string | null> {
  const parent = openSync(Buffer.from(dirname(path.toString('latin1')), 'latin1'), O_PATH | constants.O_DIRECTORY)
  try {
    const name = basename(path.toString('utf8'))
    const directory = await mkdtemp(join(tmpdir(), 'cordon-quarantine-'))
    // Started in the directory, whose own name may be no text.
    const options = { cwd: `/proc/self/fd/${parent}`, env: {}, timeout, killSignal: 'SIGKILL' } as const
    try {
      await run('/bin/cp', ['-a', '--', name, join(directory, name)], options)
    } catch {
      await rm(directory, { recursive: true, force: true })
      return null
    }
    return join(directory, name)
  } finally {
    closeSync(parent)
  }
}
