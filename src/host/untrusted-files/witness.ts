import { lstatSync, type Stats, statfsSync, statSync } from 'node:fs'

/** A path that changed so shortly before it was looked at can change again without another time. */
const UNCERTAIN_MS = 100

/** File systems of this host that change the ctime with every change: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1])

type Look = (path: string) => Stats | undefined

const lstat: Look = (path) => lstatSync(path, { throwIfNoEntry: false })
const stat: Look = (path) => statSync(path, { throwIfNoEntry: false })

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** No command can set a ctime. */
const contentOf = ({ dev, ino, mode, size, ctimeMs }: Stats): string => `${dev}:${ino}:${mode}:${size}:${ctimeMs}`
/** A directory on the way to a path: its entries do not matter. */
const identityOf = ({ dev, ino, mode, uid }: Stats): string => `${dev}:${ino}:${mode}:${uid}`

/** One path that was looked at, and how its stamp is taken. */
interface Noted {
  readonly path: string
  readonly look: Look
  readonly stampOf: (stats: Stats) => string
  readonly stamp: string
}

const codeOf = (error: unknown): string => `${(error as NodeJS.ErrnoException).code}`

/** A look at a symlink and one through it are two. */
const keyOf = (path: string, look: Look, stampOf: Noted['stampOf']): string =>
  `${look === stat ? 'through' : 'at'} ${stampOf === contentOf ? 'content' : 'identity'} ${path}`

function stampNow({ path, look, stampOf }: Omit<Noted, 'stamp'>): string {
  try {
    const stats = look(path)
    return stats === undefined ? 'missing' : stampOf(stats)
  } catch (error) {
    return codeOf(error)
  }
}

/** The paths that an observation looked at, with stamps that prove them unchanged. */
export class Witness {
  readonly #noted = new Map<string, Noted>()
  readonly #devices = new Set<number>()
  #isCertain = true

  /**
   * False if a path changed so shortly before that another change could give the same stamp, or lies on a file system
   * whose stamps prove nothing.
   */
  get isCertain(): boolean {
    return this.#isCertain
  }

  /** Tells if every path is as it was. */
  holds(): boolean {
    for (const noted of this.#noted.values()) if (stampNow(noted) !== noted.stamp) return false
    return true
  }

  /** Notes the entries of a directory, or the content of a file. */
  content(path: string, look: Look): void {
    if (this.#noted.has(keyOf(path, look, contentOf))) return
    try {
      const stats = look(path)
      if (stats === undefined) this.#absence(path)
      else this.#note({ path, look, stampOf: contentOf }, stats)
    } catch (error) {
      this.failure(path, look, error)
    }
  }

  /** Notes what a look at a path has found. `isRead`: the entries of a directory matter too. */
  result(path: string, look: Look, stats: Stats | undefined, isRead: boolean): void {
    if (stats === undefined) this.#absence(path)
    else this.#note({ path, look, stampOf: stats.isDirectory() && !isRead ? identityOf : contentOf }, stats)
  }

  /** Notes a look that failed, such as for lack of permission. */
  failure(path: string, look: Look, error: unknown): void {
    this.#noted.set(keyOf(path, look, contentOf), { path, look, stampOf: contentOf, stamp: codeOf(error) })
  }

  /** Gives up: what was looked at cannot be looked at again. */
  lose(): void {
    this.#isCertain = false
  }

  /** A path is missing as long as the nearest directory above it does not change. */
  #absence(path: string): void {
    let above = parentOf(path)
    while (above !== '/' && !this.#noted.has(keyOf(above, stat, contentOf)) && stat(above) === undefined)
      above = parentOf(above)
    this.content(above, stat)
  }

  #note(one: Omit<Noted, 'stamp'>, stats: Stats): void {
    const key = keyOf(one.path, one.look, one.stampOf)
    if (this.#noted.has(key)) return
    if (one.stampOf === contentOf) this.#isCertain &&= isOld(stats) && this.#isLocal(one.path, stats)
    this.#noted.set(key, { ...one, stamp: one.stampOf(stats) })
  }

  #isLocal(path: string, stats: Stats): boolean {
    if (this.#devices.has(stats.dev)) return true
    const isLocal = LOCAL.has(statfsSync(stats.isSymbolicLink() ? parentOf(path) : path).type)
    if (isLocal) this.#devices.add(stats.dev)
    return isLocal
  }
}

const isOld = ({ ctimeMs }: Stats): boolean => ctimeMs < Date.now() - UNCERTAIN_MS

/** The observation under way. Observations are synchronous, so there is one at most. */
const underWay: { witness: Witness | null } = { witness: null }

/** Makes an observation, and returns what it looked at by the functions of this module. */
export function witnessed<T>(observe: () => T): { readonly value: T; readonly witness: Witness } {
  const outer = underWay.witness
  const witness = new Witness()
  underWay.witness = witness
  try {
    return { value: observe(), witness }
  } finally {
    underWay.witness = outer
  }
}

function looked(path: string, look: Look, isRead = false): Stats | undefined {
  try {
    const stats = look(path)
    underWay.witness?.result(path, look, stats, isRead)
    return stats
  } catch (error) {
    underWay.witness?.failure(path, look, error)
    throw error
  }
}

/** As `lstatSync`, undefined where nothing is there. Throws where that cannot be told. */
export const lookAt: Look = (path) => looked(path, lstat)

/** As `statSync`, undefined where nothing is there. Throws where that cannot be told. */
export const lookThrough: Look = (path) => looked(path, stat)

/** As `lookAt`, of a directory whose entries are about to be read. */
export const lookInto: Look = (path) => looked(path, lstat, true)

/** As `lookThrough`, of a directory whose entries are about to be read. */
export const lookThroughInto: Look = (path) => looked(path, stat, true)

/** Notes that the content of a file is about to be read. */
export function willRead(path: string | Buffer, symlinks: 'refuse' | 'follow'): void {
  if (typeof path === 'string') underWay.witness?.content(path, symlinks === 'follow' ? stat : lstat)
  else underWay.witness?.lose()
}
