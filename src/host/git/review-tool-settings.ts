import { isOwnTree } from '../../core/model/policy/tool-settings.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import { Turns } from '../untrusted-files/turns.js'
import { EarlierCommits, isGoneFromHead } from './earlier-commits.js'
import { KeptCopies } from './keep-copy.js'
import { gitDirectoryAt } from './repositories.js'
import type { ChangedPath, Reviewing } from './review-changes.js'
import { View } from './view.js'

/** More files than this below a directory that a command removed, and it is not removed. */
const MOST_FILES = 200
const MOST_NOTICES = 25
/** Time for all questions about earlier commits. Changes that are not asked about in time are refused. */
const MAX_MS = 20_000

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
const asText = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')

/**
 * Reviews changed settings that tools run. A change is kept if a person approved it, or if its bytes are in an earlier
 * commit, because git then wrote it. Paths are absolute bytes.
 */
export async function reviewToolSettings(reviewing: Reviewing & { readonly places: readonly string[] }): Promise<{
  readonly refused: ReadonlySet<string>
  readonly notices: readonly Evidence[]
}> {
  const { changes, places } = reviewing
  const turns = new Turns()
  const touched: ChangedPath[] = []
  for (const change of changes) {
    await turns.next()
    if (places.some((place) => isAtOrBelow(change.path, place) || isAtOrBelow(place, change.path))) touched.push(change)
  }
  return touched.length === 0 ? { refused: new Set(), notices: [] } : new ToolSettings(reviewing).run(touched)
}

class ToolSettings {
  readonly #places: readonly string[]
  readonly #approved: readonly string[]
  readonly #view: string
  readonly #now: View
  readonly #before: View
  readonly #trees: readonly string[]
  readonly #commits = new Map<string, EarlierCommits>()
  readonly #turns = new Turns()
  #msLeft = MAX_MS

  constructor({ places, roots, view, approved }: Reviewing & { readonly places: readonly string[] }) {
    this.#places = places
    this.#approved = approved.filter((path) => path.startsWith('/')).map(asBytes)
    this.#view = view
    this.#now = new View(view, roots)
    this.#before = new View('', roots)
    this.#trees = roots.filter((root) => gitDirectoryAt(`${root}/.git`) !== null)
  }

  async run(touched: readonly ChangedPath[]): ReturnType<typeof reviewToolSettings> {
    const refused: string[] = []
    for (const change of touched) {
      await this.#turns.next()
      if (!(await this.#mayStay(change))) refused.push(change.path)
    }
    const copies = new KeptCopies()
    const notices: Evidence[] = []
    for (const path of refused.slice(0, MOST_NOTICES)) {
      const kept = this.#now.isThere(path) ? await copies.add(this.#now.place(path)) : null
      notices.push({ kind: 'protected', path: asText(path), kept })
    }
    return { refused: new Set(refused), notices }
  }

  async #mayStay({ path, act }: ChangedPath): Promise<boolean> {
    if (this.#approved.some((place) => isAtOrBelow(path, place))) return true
    const place = this.#places.find((one) => isAtOrBelow(path, one))
    if (place !== undefined && isOwnTree(path, place)) return true
    if (act === 'drop' || act === 'rmdir') return this.#mayAllBeLost(this.#filesLost(path))
    if (this.#now.isDirectory(path)) return true
    // A parent of a protected path: a file there would remove the directory, and a symlink would redirect it.
    if (place === undefined) return false
    const content = act === 'put' ? this.#now.text(path) : null
    return content !== null && (await this.#wasCommitted(path, Buffer.from(content, 'latin1')))
  }

  /** Returns the files of protected paths that disappear with a path. */
  #filesLost(path: string): readonly string[] {
    const found: string[] = []
    const ahead = [path]
    for (let next = ahead.pop(); next !== undefined && found.length <= MOST_FILES; next = ahead.pop()) {
      const at = next
      if (!this.#places.some((place) => isAtOrBelow(at, place) || isAtOrBelow(place, at))) continue
      if (this.#before.isDirectory(at)) ahead.push(...this.#before.names(at).map((name) => `${at}/${name}`))
      else if (this.#before.isThere(at)) found.push(at)
    }
    return found
  }

  async #mayAllBeLost(paths: readonly string[]): Promise<boolean> {
    for (const path of paths) if (!(await this.#mayBeLost(path))) return false
    return true
  }

  async #mayBeLost(path: string): Promise<boolean> {
    const content = this.#before.text(path)
    const tree = this.#treeOf(path)
    if (content === null || tree === undefined) return false
    if (!(await this.#wasCommitted(path, Buffer.from(content, 'latin1')))) return false
    const inTree = path.slice(tree.length + 1)
    return (await this.#commitsOf(tree).lack(inTree)) && (await isGoneFromHead(tree, this.#view, inTree))
  }

  #treeOf(path: string): string | undefined {
    return this.#trees.find((tree) => path.startsWith(`${tree}/`))
  }

  #commitsOf(tree: string): EarlierCommits {
    const known = this.#commits.get(tree) ?? new EarlierCommits(tree)
    this.#commits.set(tree, known)
    return known
  }

  async #wasCommitted(path: string, content: Buffer): Promise<boolean> {
    const tree = this.#treeOf(path)
    if (tree === undefined || this.#msLeft <= 0) return false
    const began = performance.now()
    const was = await this.#commitsOf(tree).hold(path.slice(tree.length + 1), content)
    this.#msLeft -= performance.now() - began
    return was
  }
}
