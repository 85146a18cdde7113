import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { askObjects } from './ask-objects.js'
import { headOf, type Repository, repositoryOf } from './repository-head.js'

const MAX_FILE_BYTES = 1024 * 1024
/** Suffixes of example files. `.env` is often an exact copy of `.env.example`. */
const EXAMPLES: readonly string[] = ['', '.example', '.sample', '.template', '.dist']

/** Files of HEAD by path, valid while HEAD is the same commit. */
const KNOWN = new Map<string, readonly string[]>()
const REMEMBERED = 1_000

/** Asks git once for the blobs of paths and of their examples in a commit. None where git fails. */
function blobsIn({ common }: Repository, commit: string, paths: readonly string[]): readonly (readonly string[])[] {
  const asked = paths.flatMap((path) => EXAMPLES.map((ending) => `${commit}:${path}${ending}\n`)).join('')
  const lines = askObjects(`${common}/objects`, commit.length, ['cat-file', '--batch-check'], asked)?.split('\n') ?? []
  const blobs = lines.map((line) => /^([0-9a-f]{40,64}) blob \d+$/.exec(line)?.[1] ?? [])
  return paths.map((_, index) => blobs.slice(index * EXAMPLES.length, (index + 1) * EXAMPLES.length).flat())
}

/** Returns the blobs of each path that a commit has for it. */
function knownBlobs(repository: Repository, commit: string, paths: readonly string[]): ReadonlyMap<string, string[]> {
  const keyOf = (path: string): string => `${repository.common}\0${commit}\0${path}`
  const asked = paths.filter((path) => !path.includes('\n') && !KNOWN.has(keyOf(path)))
  if (KNOWN.size + asked.length > REMEMBERED) KNOWN.clear()
  const answers = asked.length === 0 ? [] : blobsIn(repository, commit, asked)
  for (const [index, path] of asked.entries()) KNOWN.set(keyOf(path), answers[index] ?? [])
  return new Map(paths.map((path) => [path, [...(KNOWN.get(keyOf(path)) ?? [])]]))
}

/**
 * Returns the files with the same bytes as in HEAD, or as their example in HEAD, in the repository of `tree`. The
 * history already holds their content. A command can add any path to the index, but it cannot know the hash of unknown
 * content.
 */
export function asInHead(paths: readonly string[], tree: string): readonly string[] {
  const repository = paths.length === 0 ? null : repositoryOf(tree)
  const commit = repository === null ? null : headOf(repository)
  if (repository === null || commit === null) return []
  const known = knownBlobs(
    repository,
    commit,
    paths.map((path) => relative(tree, path)),
  )
  return paths.filter((path) => {
    const blobs = known.get(relative(tree, path)) ?? []
    const content = blobs.length === 0 ? null : readUntrustedFile(path, MAX_FILE_BYTES)
    if (content === null) return false
    const hash = createHash(commit.length === 64 ? 'sha256' : 'sha1')
    return blobs.includes(hash.update(`blob ${content.length}\0`).update(content).digest('hex'))
  })
}
