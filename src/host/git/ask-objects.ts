import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entriesOf } from '../untrusted-files/entries-of.js'

/** More packs or files than this, and git is not asked. */
const MOST_PACKS = 2_000
const MAX_OUTPUT = 4 * 1024 * 1024
const TIMEOUT_MS = 1_000
/** Limit where nothing else is served meanwhile, because an object can be a pipe. */
const WAITED_FOR_MS = 200

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

interface Question {
  readonly args: readonly string[]
  readonly options: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly timeout: number
    readonly killSignal: 'SIGKILL'
    readonly maxBuffer: number
  }
  /** Removes the repository that the question is asked in. */
  end(): void
}

/** Creates a repository without anything in it; null if there is no room. */
function emptyRepository(hashLength: number): string | null {
  try {
    const own = mkdtempSync(join(tmpdir(), 'cordon-git-'))
    for (const name of ['objects', 'refs']) mkdirSync(join(own, name))
    const format = hashLength === 64 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : ''
    writeFileSync(join(own, 'config'), `[core]\n\tbare = true\n\tcommitGraph = false\n${format}`)
    writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
    return own
  } catch {
    return null
  }
}

/**
 * Prepares git to run on the objects of a directory. It works in an empty repository of Cordon: it uses no
 * configuration, ref, replacement, hook or cached graph of the real one, and fetches nothing.
 */
function prepare(objects: string, hashLength: number, args: readonly string[]): Question | null {
  if (!holdsOnlyFiles(`${objects}/pack`) || !holdsOnlyFiles(`${objects}/info`)) return null
  const own = emptyRepository(hashLength)
  if (own === null) return null
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_DIR: own,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  return {
    args: ['--no-replace-objects', ...args],
    options: { cwd: '/', env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT },
    end: () => rmSync(own, { recursive: true, force: true }),
  }
}

/** Runs git on the objects of a directory and returns its output; null if it fails. */
export function askObjects(objects: string, hashLength: number, args: readonly string[], input: string): string | null {
  const question = prepare(objects, hashLength, args)
  if (question === null) return null
  try {
    const { status, stdout } = spawnSync('git', question.args, {
      ...question.options,
      timeout: WAITED_FOR_MS,
      input,
    })
    return status === 0 ? stdout.toString('latin1') : null
  } finally {
    question.end()
  }
}

/** Does the same while other commands are served. */
export async function askObjectsLater(
  objects: string,
  hashLength: number,
  args: readonly string[],
  input: string,
): Promise<string | null> {
  const question = prepare(objects, hashLength, args)
  if (question === null) return null
  try {
    return await new Promise<string | null>((resolve) => {
      const options = { ...question.options, encoding: 'latin1' } as const
      const child = execFile('git', question.args, options, (error, stdout) => resolve(error === null ? stdout : null))
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })
  } finally {
    question.end()
  }
}
