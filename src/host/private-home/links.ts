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
import { SHARED_HOME } from '../../core/model/surroundings.js'
import { type PrivateDirectory, within } from './private-directory.js'

/** Directories that are real ones in the private home, so that a command can add to them; their entries are linked one by one. */
const SPLIT =
  '.cache .config .local .local/bin .local/share .cargo .cargo/bin .bun .bun/bin .deno .deno/bin go go/bin .m2 .gradle .gem .docker .npm-packages .vscode-server'.split(
    ' ',
  )

/** Caches and state, which a command needs to write: never linked. */
const OWN =
  '.npm .yarn .pnpm-store .local/share/pnpm .local/state .bun/install .cargo/registry .cargo/git .deno/gen .deno/deps go/pkg .m2/repository .gradle/caches .gradle/daemon .gradle/wrapper .gradle/native .gradle/.tmp .ivy2 .sbt .nuget .ccache .gitconfig .config/git .config/cordon .lesshst .viminfo .wget-hsts .node_repl_history .Xauthority .ICEauthority .xsession-errors'.split(
    ' ',
  )

/** In a cache these are installed programs. */
const LINKED_CACHES = new Set(['.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress'])

/** Tools append to these, so a command gets a copy. */
const COPIED =
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin'.split(' ')
const COPY_BYTES = 256 * 1024

export interface LinkOptions {
  /** The private home. */
  readonly from: string
  readonly realHome: string
  /** The entries that are linked; those of a directory called `bin` one by one. Null: everything in the home that is no secret. */
  readonly only: readonly string[] | null
  /** Paths in it that stand for themselves: mount points, and what is hidden. All relative. */
  readonly points: readonly string[]
  readonly hidden: readonly string[]
}

interface Rules {
  /** Directories that are real ones. */
  readonly split: ReadonlySet<string>
  isShared(path: string): boolean
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Installers add programs to these, so a command gets a directory of its own with a link to each program. */
const isBin = (path: string): boolean => path.endsWith('/bin')

function rulesOf({ points, hidden, only }: Pick<LinkOptions, 'points' | 'hidden' | 'only'>): Rules {
  const skipped = new Set([...OWN, ...points, ...hidden])
  if (only !== null) {
    const bins = new Set(only.filter(isBin))
    const single = new Set(only.filter((path) => !isBin(path)))
    const isShared = (path: string): boolean => !skipped.has(path) && (single.has(path) || bins.has(parentOf(path)))
    return { split: new Set([...bins, ...[...single].map(parentOf)]), isShared }
  }
  const above = points.flatMap((path) => {
    const names = path.split('/')
    return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
  })
  const split = new Set(['', ...SPLIT, ...above])
  const isShared = (path: string): boolean =>
    !skipped.has(path) && !split.has(path) && (!path.startsWith('.cache/') || LINKED_CACHES.has(path))
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

/** Returns a function whose value changes when an entry comes or goes, in the real home or in the private one. */
export function linksStamp(options: LinkOptions): () => string {
  const { split } = rulesOf(options)
  const inHome = (home: string): readonly string[] => [...split].map((path) => (path === '' ? home : `${home}/${path}`))
  const paths = [...inHome(options.realHome), ...inHome(options.from)]
  const about = JSON.stringify([paths, options.points, options.hidden, options.only])
  return () => `${about} ${paths.map(stampAt).join(' ')}`
}

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

/** Returns the entry of the real home by which a path is linked when all of the home is shared, or null. Paths are relative to the home. */
export function linkedEntry(path: string, points: readonly string[]): string | null {
  const rules = rulesOf({ points, hidden: [], only: null })
  const names = path.split('/')
  const entry = names.map((_, end) => names.slice(0, end + 1).join('/')).find((one) => !rules.split.has(one))
  return entry === undefined || COPIED.includes(entry) || !rules.isShared(entry) ? null : entry
}

function link(directory: PrivateDirectory, path: string, name: string, realHome: string): void {
  if (directory.look(name) !== null) return
  const real = `${realHome}/${joined(path, name)}`
  if (path !== '' || !COPIED.includes(name)) symlinkSync(`${SHARED_HOME}/${joined(path, name)}`, directory.path(name))
  else if ((statSync(real, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= COPY_BYTES)
    copyFileSync(real, directory.path(name), constants.COPYFILE_EXCL)
}

/** Makes the links to all entries of the real home that commands see, and removes those that lead nowhere any more. */
export function refreshLinks(options: LinkOptions): void {
  const rules = rulesOf(options)
  const isDirectory = (path: string): boolean =>
    statSync(`${options.realHome}/${path}`, { throwIfNoEntry: false })?.isDirectory() ?? false
  const hidden = new Set(options.hidden)
  const isHidden = (path: string): boolean =>
    path.split('/').some((_, end, names) => hidden.has(names.slice(0, end + 1).join('/')))
  for (const path of [...rules.split].filter((one) => isDirectory(one) && !isHidden(one))) {
    const names = entriesOf(`${options.realHome}/${path}`)
      .filter(({ name, isUsable }) => isUsable && rules.isShared(joined(path, name)))
      .map(({ name }) => name)
    within(options.from, path, (directory) => {
      removeStale(directory, path, new Set(names))
      for (const name of names) link(directory, path, name, options.realHome)
    })
  }
}
