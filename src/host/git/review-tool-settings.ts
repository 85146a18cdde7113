import { isOwnTree } from '../../core/model/policy/tool-settings.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import { EarlierCommits, isGoneFromHead } from './earlier-commits.js'
import { keepCopy } from './keep-copy.js'
import { gitDirectoryAt } from './repositories.js'
import type { ChangedPath, Reviewing } from './review-changes.js'
import { View } from './view.js'

/** More files than this below a directory that a command removed, and it is not removed. */
const MOST_FILES = 200
const MOST_NOTICES = 25

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
const asText = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')

/**
 * Reviews changed settings that tools run. A change is kept if a person approved it, or if its bytes are in an earlier
 * commit, because git then wrote it. Paths are absolute bytes.
 */
export function reviewToolSettings(reviewing: Reviewing & { readonly places: readonly string[] }): {
  readonly refused: ReadonlySet<string>
  readonly notices: readonly Evidence[]
} {
  const { changes, places } = reviewing
  const touched = changes.filter(({ path }) =>
    places.some((place) => isAtOrBelow(path, place) || isAtOrBelow(place, path)),
  )
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

  constructor({ places, roots, view, approved }: Reviewing & { readonly places: readonly string[] }) {
    this.#places = places
    this.#approved = approved.filter((path) => path.startsWith('/')).map(asBytes)
    this.#view = view
    this.#now = new View(view, roots)
    this.#before = new View('', roots)
    this.#trees = roots.filter((root) => gitDirectoryAt(`${root}/.git`) !== null)
  }

  run(touched: readonly ChangedPath[]): ReturnType<typeof reviewToolSettings> {
    const refused = touched.filter((change) => !this.#mayStay(change)).map(({ path }) => path)
    const notices = refused.slice(0, MOST_NOTICES).map((path): Evidence => {
      const kept = this.#now.isThere(path) ? keepCopy(this.#now.place(path)) : null
      return { kind: 'protected', path: asText(path), kept }
    })
    return { refused: new Set(refused), notices }
  }

  #mayStay({ path, act }: ChangedPath): boolean {
    if (this.#approved.some((place) => isAtOrBelow(path, place))) return true
    const place = this.#places.find((one) => isAtOrBelow(path, one))
    if (place !== undefined && isOwnTree(path, place)) return true
    if (act === 'drop' || act === 'rmdir') return this.#filesLost(path).every((file) => this.#mayBeLost(file))
    if (this.#now.isDirectory(path)) return true
    // A parent of a protected path: a file there would remove the directory, and a symlink would redirect it.
    if (place === undefined) return false
    const content = act === 'put' ? this.#now.text(path) : null
    return content !== null && this.#wasCommitted(path, Buffer.from(content, 'latin1'))
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

  #mayBeLost(path: string): boolean {
    const content = this.#before.text(path)
    const tree = this.#treeOf(path)
    if (content === null || tree === undefined || !this.#wasCommitted(path, Buffer.from(content, 'latin1')))
      return false
    const inTree = path.slice(tree.length + 1)
    return this.#commitsOf(tree).lack(inTree) && isGoneFromHead(tree, this.#view, inTree)
  }

  #treeOf(path: string): string | undefined {
    return this.#trees.find((tree) => path.startsWith(`${tree}/`))
  }

  #commitsOf(tree: string): EarlierCommits {
    const known = this.#commits.get(tree) ?? new EarlierCommits(tree)
    this.#commits.set(tree, known)
    return known
  }

  #wasCommitted(path: string, content: Buffer): boolean {
    const tree = this.#treeOf(path)
    return tree !== undefined && this.#commitsOf(tree).hold(path.slice(tree.length + 1), content)
  }
}
