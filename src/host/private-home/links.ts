import {
  constants,
  copyFileSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { SHARED_HOME } from '../../core/model/run/surroundings.js'
import { installDirectories } from './install-directories.js'
import { type PrivateDirectory, within } from './private-directory.js'
import { Removals } from './removals.js'

/**
 * Directories that are real in the private home, so that a command can add entries. Their entries are linked one by
 * one.
 */
const SPLIT =
  '.cache .config .local .local/bin .local/share .cargo .cargo/bin .bun .bun/bin .deno .deno/bin go go/bin .m2 .gradle .gem .docker .npm-packages .vscode-server'.split(
    ' ',
  )

/** Caches and state, which a command needs to write: never linked. */
const OWN =
  '.npm .yarn .pnpm-store .local/share/pnpm .local/state .bun/install .cargo/registry .cargo/git .cargo/.package-cache .cargo/.package-cache-mutate .cargo/.global-cache .rustup/tmp .rustup/downloads .deno/gen .deno/deps go/pkg .m2/repository .gradle/caches .gradle/daemon .gradle/wrapper .gradle/native .gradle/.tmp .ivy2 .sbt .nuget .ccache .gitconfig .config/git .config/cordon .lesshst .viminfo .wget-hsts .node_repl_history .Xauthority .ICEauthority .xsession-errors'.split(
    ' ',
  )

/** In a cache these are installed programs. */
const LINKED_CACHES = new Set(['.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress'])

/** Tools change these, so a command gets a copy. */
const COPIED =
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .cargo/.crates.toml .cargo/.crates2.json .rustup/settings.toml'.split(
    ' ',
  )
const COPY_BYTES = 256 * 1024

/** More entries of one directory than this are not linked. */
const MAX_ENTRIES = 5_000

export interface LinkOptions {
  /** The private home. */
  readonly from: string
  readonly realHome: string
  /** Entries to link; those of a `bin` directory one by one. Null: the whole home except secrets. */
  readonly only: readonly string[] | null
  /** Paths that are not linked: mount points and hidden paths. All relative. */
  readonly points: readonly string[]
  readonly hidden: readonly string[]
}

interface Rules {
  /** Directories that are real ones. */
  readonly split: ReadonlySet<string>
  isShared(path: string): boolean
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Reports whether installers add programs to a directory. It is real in the private home, with a link per program. */
const isBin = (path: string): boolean => path.endsWith('/bin')

/** Installers lock these, and none reads anything in them. */
const isLock = (path: string): boolean => path.endsWith('/.lock')

type RuleOptions = Pick<LinkOptions, 'points' | 'hidden' | 'only' | 'realHome'>

function rulesOf({ points, hidden, only, realHome }: RuleOptions): Rules {
  const skipped = new Set([...OWN, ...points, ...hidden])
  const installed = installDirectories(realHome)
  if (only !== null) {
    const bins = only.filter(isBin)
    const within = installed.filter((path) => only.some((entry) => path === entry || path.startsWith(`${entry}/`)))
    const whole = new Set([...bins, ...within])
    const single = new Set(only.filter((path) => !whole.has(path)))
    const split = new Set([...whole, ...[...single, ...within].map(parentOf)])
    const isListed = (path: string): boolean => single.has(path) || (whole.has(parentOf(path)) && !whole.has(path))
    return { split, isShared: (path) => !skipped.has(path) && !isLock(path) && isListed(path) }
  }
  const above = points.flatMap((path) => {
    const names = path.split('/')
    return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
  })
  const split = new Set(['', ...SPLIT, ...installed, ...above])
  const isShared = (path: string): boolean =>
    !skipped.has(path) && !split.has(path) && !isLock(path) && (!path.startsWith('.cache/') || LINKED_CACHES.has(path))
  return { split, isShared }
}

function stampAt(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.mtimeMs}:${stats.ino}`
  } catch {
    // A file or a loop of symlinks is in the way.
    return '-'
  }
}

/** Returns a function whose result changes when an entry of the real or the private home appears or disappears. */
export function linksStamp(options: LinkOptions): () => string {
  let before = ''
  let paths: readonly string[] = []
  const look = (): string => paths.map(stampAt).join(' ')
  return () => {
    if (before !== '' && look() === before) return `${about(options, paths)} ${before}`
    const inHome = (home: string): readonly string[] =>
      [...rulesOf(options).split].map((path) => (path === '' ? home : `${home}/${path}`))
    paths = [...inHome(options.realHome), ...inHome(options.from)]
    before = look()
    return `${about(options, paths)} ${before}`
  }
}

const about = ({ points, hidden, only }: LinkOptions, paths: readonly string[]): string =>
  JSON.stringify([paths, points, hidden, only])

const joined = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)

function entriesOf(directory: string): readonly { readonly name: string; readonly isUsable: boolean }[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isUsable: entry.isDirectory() || entry.isFile() || entry.isSymbolicLink(),
    }))
  } catch {
    return []
  }
}

/** Symlinks of ours to what is gone, or is not shared any more. What a command has made stays. */
function removeStale(directory: PrivateDirectory, path: string, wanted: ReadonlySet<string>): void {
  for (const entry of readdirSync(directory.path('.'), { withFileTypes: true })) {
    if (!entry.isSymbolicLink() || wanted.has(entry.name)) continue
    if (readlinkSync(directory.path(entry.name)) === `${SHARED_HOME}/${joined(path, entry.name)}`)
      unlinkSync(directory.path(entry.name))
  }
}

/**
 * Returns the linked entry of the real home that contains a path if the whole home is shared; otherwise null. Paths are
 * relative to the home.
 */
export function linkedEntry(path: string, points: readonly string[], realHome: string): string | null {
  const rules = rulesOf({ points, hidden: [], only: null, realHome })
  const names = path.split('/')
  const entry = names.map((_, end) => names.slice(0, end + 1).join('/')).find((one) => !rules.split.has(one))
  return entry === undefined || COPIED.includes(entry) || !rules.isShared(entry) ? null : entry
}

function link(directory: PrivateDirectory, path: string, name: string, realHome: string): void {
  if (directory.look(name) !== null) return
  const real = `${realHome}/${joined(path, name)}`
  if (!COPIED.includes(joined(path, name))) symlinkSync(`${SHARED_HOME}/${joined(path, name)}`, directory.path(name))
  else if ((statSync(real, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= COPY_BYTES)
    copyFileSync(real, directory.path(name), constants.COPYFILE_EXCL)
}

/** Creates links to all visible entries of the real home and removes dangling ones. */
export function refreshLinks(options: LinkOptions): void {
  const rules = rulesOf(options)
  const isDirectory = (path: string): boolean =>
    statSync(`${options.realHome}/${path}`, { throwIfNoEntry: false })?.isDirectory() ?? false
  const removals = new Removals(options.from)
  const hidden = new Set(options.hidden)
  const isHidden = (path: string): boolean =>
    path.split('/').some((_, end, names) => hidden.has(names.slice(0, end + 1).join('/')))
  for (const path of [...rules.split].filter((one) => isDirectory(one) && !isHidden(one))) {
    const names = entriesOf(`${options.realHome}/${path}`)
      .filter(({ name, isUsable }) => isUsable && rules.isShared(joined(path, name)))
      .map(({ name }) => name)
      .slice(0, MAX_ENTRIES)
    const isLeft = removals.look(path)
    within(options.from, path, (directory) => {
      removeStale(directory, path, new Set(names))
      for (const name of names) if (!isLeft(directory, name)) link(directory, path, name, options.realHome)
    })
    removals.linked(path, names)
  }
  removals.save()
}
