import { chmodSync, readdirSync } from 'node:fs'
import { Turns } from '../../untrusted-files/turns.js'
import { type AttributeClient, sameAttributes } from '../attributes/attributes.js'
import { type Entry, entryAt, entryOf, isOpenToOwner, isWhiteout, statsAt } from '../paths/entry.js'
import { below, bytes, directoriesAbove, isAtOrBelow, parentOf, type RawPath } from '../paths/raw-path.js'
import { type Tree, walk } from '../paths/tree.js'
import type { Step } from '../undo-store/step.js'
import { askAboutRoot, type Compared, compareAttributes } from './compare-attributes.js'
import { copiedUp } from './copied-up.js'
import { isAnothers } from './layer-layout.js'

export interface Scanned {
  readonly root: number
  readonly tree: Tree
  readonly upper: RawPath
  /** A directory to work in. */
  readonly job: string
  /** The mounted tree, as the command saw it. */
  readonly view: RawPath
  /** Time on the filesystem's own clock at which the command began. */
  readonly since: bigint
  /** Cordon's own directories inside the root. Changes there are ignored. */
  readonly ours: readonly RawPath[]
  readonly attributeClient: AttributeClient
}

/** A change and whether the new version carries private attributes of overlayfs. */
export interface Found extends Omit<Step, 'from' | 'keep'> {
  readonly marked: boolean
}

export interface Scan {
  readonly found: readonly Found[]
  /** Paths that another process changed since the command began. */
  readonly conflicts: readonly RawPath[]
}

/**
 * Reads the changes of a command from an upper layer, in an order in which they can be repeated: parents before
 * children.
 */
export class UpperScan {
  readonly #of: Scanned
  readonly #found: Found[] = []
  readonly #conflicts = new Set<RawPath>()
  readonly #droppedInodes = new Set<string>()
  readonly #replacements = new Set<string>()
  readonly #turns = new Turns()

  constructor(of: Scanned) {
    this.#of = of
  }

  async run(): Promise<Scan> {
    const root = entryAt(bytes(this.#of.upper))
    // A directory without owner access is read after it gets access.
    const ofRoot = root && isOpenToOwner(root) ? askAboutRoot(this.#of) : null
    const pending: RawPath[] = ['']
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const directories = await this.#directory(next)
      for (const path of directories.reverse()) pending.push(path)
    }
    await this.#compareAttributes(ofRoot ?? askAboutRoot(this.#of))
    await this.#findLost()
    const isStay = ({ act, before }: Found): boolean => act === 'meta' && before?.type === 'directory'
    const changed = this.#found.filter((step) => !isStay(step))
    const touched = new Set(changed.filter(({ act }) => act !== 'meta').map(({ path }) => parentOf(path)))
    const entered = directoriesAbove(changed.map(({ path }) => path))
    const found = this.#found.filter((step) => !isStay(step) || matters(step, touched, entered))
    return { found, conflicts: [...this.#conflicts] }
  }

  /** Handles the entries of one directory of the upper; returns the directories among them. */
  async #directory(path: RawPath): Promise<RawPath[]> {
    await this.#turns.next()
    const { upper, tree, ours, view } = this.#of
    const now = entryAt(bytes(below(upper, path)))
    if (!now) return []
    // Uses the view, because files are read there and moved out of the upper layer, and the view would not notice a
    // change below it.
    if (!isOpenToOwner(now)) chmodSync(bytes(below(view, path)), now.mode | 0o700)
    const before = tree.entry(path)
    if (before?.type === 'directory' && !(path === '' && isAnothers(before.uid))) {
      this.#found.push({ root: this.#of.root, path, act: 'meta', before, after: now, marked: false })
    }
    const names = readdirSync(bytes(below(upper, path)), { encoding: 'latin1' })
    const directories: RawPath[] = []
    for (const name of names) {
      await this.#turns.next()
      const child = below(path, name)
      if (!ours.includes(child)) directories.push(...(await this.#entry(child)))
    }
    if (before?.type === 'directory')
      for (const name of this.#unseen(path, new Set(names))) await this.#drop(below(path, name))
    return directories
  }

  async #entry(path: RawPath): Promise<RawPath[]> {
    const { root, tree, upper, view } = this.#of
    const stats = statsAt(bytes(below(upper, path)))
    if (!stats) return []
    if (isWhiteout(stats)) {
      await this.#drop(path)
      return []
    }
    const before = tree.entry(path)
    const after = entryOf(stats)
    if (after.type === 'directory') {
      if (before?.type === 'directory') return [path]
      if (before) this.#check(path, before)
      this.#found.push({ root, path, act: 'mkdir', before, after, marked: false })
      return [path]
    }
    // Keeps a file together with its new hard link.
    if (before && sameContent(before, after) && after.links === 1) {
      this.#found.push({ root, path, act: 'meta', before, after, marked: false })
      return []
    }
    if (before) {
      await this.#checkAll(path, before)
      this.#replacements.add(after.ino)
    }
    const marked = before !== null || entryAt(bytes(below(view, path)))?.ino !== after.ino
    this.#found.push({ root, path, act: 'put', before, after, marked })
    return []
  }

  async #drop(path: RawPath): Promise<void> {
    const before = this.#of.tree.entry(path)
    if (!before || this.#of.ours.includes(path)) return
    if (this.#of.ours.some((place) => isAtOrBelow(place, path))) this.#conflicts.add(path)
    else await this.#checkAll(path, before)
    this.#found.push({ root: this.#of.root, path, act: 'drop', before, after: null, marked: false })
  }

  #check(path: RawPath, before: Entry): void {
    this.#droppedInodes.add(before.ino)
    if (BigInt(before.ctime) >= this.#of.since) this.#conflicts.add(path)
  }

  async #checkAll(path: RawPath, before: Entry): Promise<void> {
    if (before.type !== 'directory') this.#check(path, before)
    else
      for (const [inner, entry] of walk(this.#of.tree, path)) {
        await this.#turns.next()
        this.#check(inner, entry)
      }
  }

  /**
   * Returns names of the real directory that the command did not see: if it removed and recreated the directory, all
   * that it did not write itself. The opaque mark is an extended attribute, which Node cannot read, but the mounted
   * tree shows the effect.
   */
  #unseen(path: RawPath, written: ReadonlySet<RawPath>): RawPath[] {
    const { tree, view } = this.#of
    if (path === '') return []
    const unseen: RawPath[] = []
    const directory = tree.list(path)
    try {
      for (let next = directory.readSync(); next !== null; next = directory.readSync()) {
        if (written.has(next.name)) continue
        if (statsAt(bytes(below(below(view, path), next.name)))) return []
        unseen.push(next.name)
      }
    } finally {
      directory.closeSync()
    }
    return unseen
  }

  /** Compares extended attributes of otherwise unchanged entries; a difference makes a file a new version. */
  async #compareAttributes(ofRoot: ReturnType<typeof askAboutRoot>): Promise<void> {
    const compared = await compareAttributes(this.#found, this.#of, ofRoot)
    const found = this.#found.splice(0).flatMap((step) => this.#withAttributes(step, compared))
    this.#found.push(...found)
  }

  #withAttributes(step: Found, { real, seen }: Compared): readonly Found[] {
    const { path, act, before, after } = step
    if (act === 'mkdir') {
      const [own, parent] = [seen.get(path) ?? {}, seen.get(parentOf(path)) ?? {}]
      const matter = Object.keys(own).length + Object.keys(parent).length > 0
      return [matter ? { ...step, attributes: { before: {}, after: own } } : step]
    }
    if (act !== 'meta') return [step]
    const [was, is] = [real.get(path), seen.get(path)]
    const changed = was !== undefined && is !== undefined && !sameAttributes(was, is)
    if (before?.type === 'directory') return [changed ? { ...step, attributes: { before: was, after: is } } : step]
    if (before && (changed || before.mode !== after?.mode)) this.#check(path, before)
    if (!changed) return before?.mode === after?.mode ? [] : [step]
    if (after) this.#replacements.add(after.ino)
    return [{ ...step, act: 'put', marked: true }]
  }

  /**
   * Finds changed files that another process removed meanwhile. They look new, except for their origin. It checks only
   * directories that changed since the command began.
   */
  async #findLost(): Promise<void> {
    const { tree, upper, job, since, view } = this.#of
    const doubtful = this.#found.filter(({ act, before, path }) => {
      if (before || (act !== 'put' && act !== 'mkdir')) return false
      const parent = tree.entry(parentOf(path))
      return parent?.type === 'directory' && BigInt(parent.ctime) >= since
    })
    if (doubtful.length === 0) return
    const pathsOf = (type: 'put' | 'mkdir') => doubtful.filter(({ act }) => act === type).map(({ path }) => path)
    const marked = await copiedUp(upper, job, { files: pathsOf('put'), directories: pathsOf('mkdir') })
    for (const { path, after } of doubtful) {
      // Another name of a file that still has its old name. The view shows that to root but not to an unprivileged
      // user.
      if (after && this.#replacements.has(after.ino)) continue
      // A file that was renamed has its origin where the command took it from.
      const ino = marked.has(path) ? entryAt(bytes(below(view, path)))?.ino : undefined
      if (ino !== undefined && !this.#droppedInodes.has(ino)) this.#conflicts.add(path)
    }
  }
}

const sameContent = (a: Entry, b: Entry): boolean =>
  a.type === b.type && a.size === b.size && a.mtime === b.mtime && a.uid === b.uid && a.gid === b.gid

/**
 * An existing directory that changed, whose content changed, or that has no owner access and is on the way to a change.
 */
const matters = (
  { path, before, after, attributes }: Found,
  touched: ReadonlySet<RawPath>,
  entered: ReadonlySet<RawPath>,
): boolean =>
  touched.has(path) ||
  attributes !== undefined ||
  before?.mode !== after?.mode ||
  before?.uid !== after?.uid ||
  before?.gid !== after?.gid ||
  // The time of a root is copied to its layer less exactly.
  (path !== '' && before?.mtime !== after?.mtime) ||
  (before !== null && !isOpenToOwner(before) && entered.has(path))
