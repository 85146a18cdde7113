import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { gitDirectoryAt } from './repositories.js'

const MAX_FILE_BYTES = 1024 * 1024
const MAX_REFS_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 1_000
const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** `.env` is often a copy of `.env.example`, and holds no more than that. */
const EXAMPLES: readonly string[] = ['', '.example', '.sample', '.template', '.dist']
/** More packs or files than this, and git is not asked. */
const MOST_PACKS = 2_000

/** What HEAD has for a path is the same for as long as HEAD is the same commit. */
const KNOWN = new Map<string, readonly string[]>()
const REMEMBERED = 1_000

const textOf = (path: string, maxBytes: number): string | null =>
  readUntrustedFile(path, maxBytes)?.toString('latin1') ?? null

/** A repository, as far as it takes to find what a commit holds. */
interface Repository {
  readonly gitDirectory: string
  readonly common: string
}

function repositoryOf(tree: string): Repository | null {
  const gitDirectory = gitDirectoryAt(`${tree}/.git`)
  if (gitDirectory === null) return null
  const common = textOf(`${gitDirectory}/commondir`, 4_096)?.trim()
  return { gitDirectory, common: common === undefined ? gitDirectory : resolve(gitDirectory, common) }
}

/** The commit that HEAD is, read without git. Null where there is none, or where a ref leads to another. */
function headOf({ gitDirectory, common }: Repository): string | null {
  const head = textOf(`${gitDirectory}/HEAD`, 4_096)?.trim() ?? ''
  const ref = /^ref: (refs\/[^\0\n]+)$/.exec(head)?.[1]
  if (ref === undefined) return OID.test(head) ? head : null
  if (ref.split('/').includes('..')) return null
  const loose = textOf(`${common}/${ref}`, 4_096)?.trim()
  if (loose !== undefined) return OID.test(loose) ? loose : null
  const line = textOf(`${common}/packed-refs`, MAX_REFS_BYTES)
    ?.split('\n')
    .find((one) => one.endsWith(` ${ref}`))
  const packed = line?.slice(0, line.indexOf(' ')) ?? ''
  return OID.test(packed) ? packed : null
}

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
 * Asks git for the blobs of a path and of its examples in a commit. Git sees the objects alone, from an empty repository of ours: no configuration, ref,
 * replacement or hook of the repository counts, and nothing is fetched.
 */
function blobsIn({ common }: Repository, commit: string, path: string): readonly string[] {
  const objects = `${common}/objects`
  if (path.includes('\n') || !holdsOnlyFiles(`${objects}/pack`) || !holdsOnlyFiles(`${objects}/info`)) return []
  const own = mkdtempSync(join(tmpdir(), 'cordon-git-'))
  try {
    for (const name of ['objects', 'refs']) mkdirSync(join(own, name))
    const format = commit.length === 64 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : ''
    writeFileSync(join(own, 'config'), `[core]\n\tbare = true\n${format}`)
    writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
    const { status, stdout } = spawnSync('git', ['--no-replace-objects', 'cat-file', '--batch-check'], {
      cwd: '/',
      input: EXAMPLES.map((ending) => `${commit}:${path}${ending}\n`).join(''),
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GIT_DIR: own,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024,
    })
    if (status !== 0) return []
    const lines = stdout.toString('latin1').split('\n')
    return lines.flatMap((line) => /^([0-9a-f]{40,64}) blob \d+$/.exec(line)?.[1] ?? [])
  } catch {
    return []
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function knownBlobs(repository: Repository, commit: string, path: string): readonly string[] {
  const key = `${repository.common}\0${commit}\0${path}`
  const known = KNOWN.get(key)
  if (known !== undefined) return known
  if (KNOWN.size >= REMEMBERED) KNOWN.clear()
  const blobs = blobsIn(repository, commit, path)
  KNOWN.set(key, blobs)
  return blobs
}

/**
 * Says whether the file is byte for byte what HEAD has for it, or for its example, in the repository of `tree`. Then it holds nothing that
 * the history does not.
 * A command can put any path into the index, but cannot name the hash of a content that it does not know.
 */
export function isAsInHead(path: string, tree: string): boolean {
  const repository = repositoryOf(tree)
  const commit = repository === null ? null : headOf(repository)
  if (repository === null || commit === null) return false
  const blobs = knownBlobs(repository, commit, relative(tree, path))
  const content = blobs.length === 0 ? null : readUntrustedFile(path, MAX_FILE_BYTES)
  if (content === null) return false
  const hash = createHash(commit.length === 64 ? 'sha256' : 'sha1')
  return blobs.includes(hash.update(`blob ${content.length}\0`).update(content).digest('hex'))
}
