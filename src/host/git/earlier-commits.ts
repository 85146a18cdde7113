import { createHash } from 'node:crypto'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { askObjectsLater } from './ask-objects.js'
import { headOf, type Repository, repositoryOf } from './repository-head.js'

const MAX_BYTES = 4 * 1024 * 1024
/** More tips than this are not asked about. */
const MOST_TIPS = 1_000
const MOST_DIRECTORIES = 200
const OID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
/** Files of a git directory that name commits: refs, and where an operation began. */
const NAMED: readonly string[] = [
  ...['HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'FETCH_HEAD', 'logs/HEAD'],
  ...['rebase-merge/onto', 'rebase-merge/orig-head', 'rebase-apply/onto', 'rebase-apply/orig-head'],
]
const SHARED: readonly string[] = ['packed-refs', 'logs/refs/stash']

const namedIn = (path: string): readonly string[] =>
  readUntrustedFile(path, MAX_BYTES)?.toString('latin1').match(OID)?.reverse() ?? []

/** Loose refs, breadth first. */
function looseRefs(common: string): readonly string[] {
  const found: string[] = []
  const ahead = [`${common}/refs`]
  for (let looked = 0; looked < MOST_DIRECTORIES; looked += 1) {
    const next = ahead.shift()
    if (next === undefined) break
    for (const entry of entriesOf(next, MOST_TIPS)) {
      if (entry.isDirectory()) ahead.push(`${next}/${entry.name}`)
      else if (entry.isFile()) found.push(...namedIn(`${next}/${entry.name}`))
    }
  }
  return found
}

/** The commits of a repository before a command ran. */
export class EarlierCommits {
  readonly #repository: Repository | null
  readonly #tips: readonly string[]
  readonly #known = new Map<string, readonly (string | null)[]>()

  /** `tree`: the top of a working tree. The objects that a command made must not be among its own yet. */
  constructor(tree: string) {
    this.#repository = repositoryOf(tree)
    this.#tips = this.#repository === null ? [] : tipsOf(this.#repository)
  }

  /** Reports whether a commit has a file with these bytes at the path, relative to the tree. */
  async hold(path: string, content: Buffer): Promise<boolean> {
    const tip = this.#tips[0]
    if (this.#repository === null || tip === undefined || path.includes('\n')) return false
    const hash = createHash(tip.length === 64 ? 'sha256' : 'sha1')
    const blob = hash.update(`blob ${content.length}\0`).update(content).digest('hex')
    return (await this.#blobsAt(path)).includes(blob) || (await this.#inHistory(path)).includes(blob)
  }

  /** Reports whether a commit has no file at the path. */
  async lack(path: string): Promise<boolean> {
    return (await this.#blobsAt(path)).includes(null)
  }

  /** The blob at the path in each tip; null where there is none. */
  async #blobsAt(path: string): Promise<readonly (string | null)[]> {
    const known = this.#known.get(path) ?? (await this.#askTips(path))
    this.#known.set(path, known)
    return known
  }

  async #askTips(path: string): Promise<readonly (string | null)[]> {
    const tips = [...new Set(this.#tips)].slice(0, MOST_TIPS)
    const asked = tips.map((tip) => `${tip}^{commit}\n${tip}:${path}\n`).join('')
    const lines = (await this.#ask(['cat-file', '--batch-check'], asked)).split('\n')
    return tips.flatMap((_, i) => {
      if (!lines[2 * i]?.includes(' commit ')) return []
      return [/^([0-9a-f]{40,64}) blob \d+$/.exec(lines[2 * i + 1] ?? '')?.[1] ?? null]
    })
  }

  async #inHistory(path: string): Promise<readonly string[]> {
    const log = [
      'log',
      '--format=',
      '--raw',
      '--no-abbrev',
      '--no-renames',
      '-m',
      '--full-history',
      '--stdin',
      '--',
      path,
    ]
    return (await this.#ask(log, `${this.#tips.slice(0, MOST_TIPS).join('\n')}\n`)).match(OID) ?? []
  }

  async #ask(args: readonly string[], input: string): Promise<string> {
    const { common } = this.#repository ?? { common: '' }
    return (await askObjectsLater(`${common}/objects`, this.#tips[0]?.length ?? 40, args, input)) ?? ''
  }
}

function tipsOf(repository: Repository): readonly string[] {
  const { gitDirectory, common } = repository
  const head = headOf(repository)
  const named = [...NAMED.map((name) => `${gitDirectory}/${name}`), ...SHARED.map((name) => `${common}/${name}`)]
  const all = [...(head === null ? [] : [head]), ...looseRefs(common), ...named.flatMap(namedIn)]
  return all.filter((oid) => oid.length === all[0]?.length && !/^0+$/.test(oid))
}

/** Reports whether HEAD of a working tree, in the view of a command, has no file at the path. */
export async function isGoneFromHead(tree: string, view: string, path: string): Promise<boolean> {
  const repository = repositoryOf(tree, view)
  const head = repository === null ? null : headOf(repository)
  if (repository === null || head === null || path.includes('\n')) return false
  const asked = `${head}^{commit}\n${head}:${path}\n`
  const objects = `${repository.common}/objects`
  const answer = await askObjectsLater(objects, head.length, ['cat-file', '--batch-check'], asked)
  const lines = answer?.split('\n')
  return lines?.[0]?.includes(' commit ') === true && lines[1]?.endsWith(' missing') === true
}
