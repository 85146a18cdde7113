import { type Stats, statSync } from 'node:fs'
import { baseName } from '../../core/model/path.js'
import { entriesOf } from '../untrusted-files/entries-of.js'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { realPath } from './real-path.js'

const SYSTEM_PLACES: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/snap/bin',
  '/var/lib/flatpak/exports/bin',
  '/usr/games',
  '/usr/local/games',
  // Programs that others start by their paths, or that lie ready for the next start of the machine: a busybox among them, as often as not.
  '/usr/libexec',
  '/usr/lib/git-core',
  '/usr/lib/klibc/bin',
  '/usr/lib/initramfs-tools/bin',
]
/** Never masked: the wall itself starts commands with these, and masks are scripts. */
const INDISPENSABLE = new Set(['bash', 'sh', 'dash', 'env'])
/** Masked when they are denied themselves, not for being linked to by a denied name: that would take a whole language away. */
const LANGUAGES = new Set(['perl', 'python'])
/** One file for many programs, which runs any of them when told its name; its shell even without starting a process. */
const MULTI_CALL: readonly string[] = ['busybox', 'toybox', 'coreutils']
/** Programs a host cannot do without: where one of them is a name of such a file, the file is left as it is. */
const ESSENTIAL: readonly string[] = ['/bin/sh', '/bin/bash', '/usr/bin/bash', '/bin/ls', '/usr/bin/env']

/** A directory of the workspace may be on PATH, and hold whatever a command has put there. */
const MAX_NAMES = 20_000
/** The largest such programs have 3 MB. */
const MAX_PROGRAM_BYTES = 16 * 1024 * 1024

/** A place of PATH that may not be looked at (EACCES, ELOOP) holds nothing that could be run from it. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const namesIn = (directory: string): readonly string[] => entriesOf(directory, MAX_NAMES).map(({ name }) => name)

const isSame = (a: Stats | undefined, b: Stats): boolean => a?.ino === b.ino && a.dev === b.dev

/** Every file in the directories that is the same as this one under another name. */
function hardLinksOf(path: string, directories: readonly string[]): string[] {
  const file = look(path)
  if (file === undefined || !file.isFile() || file.nlink === 1) return [path]
  const all = directories.flatMap((directory) => namesIn(directory).map((name) => `${directory}/${name}`))
  return [path, ...all.filter((other) => isSame(look(other), file)).map((other) => realPath(other).real)]
}

const withoutVersion = (name: string): string => name.replace(/[\d.]+$/, '')

/** Is it one file for other programs as well, when it was found by this name? */
function isShared(real: string, denied: string): boolean {
  const name = withoutVersion(baseName(real))
  if (LANGUAGES.has(name)) return withoutVersion(denied) !== name
  return INDISPENSABLE.has(name) || MULTI_CALL.includes(name)
}

/** Paths in these directories by name: `gcc-12` is gcc too and `python3.12` python3, whichever of several the plain name leads to. */
function programsIn(directories: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const note = (name: string, path: string): void => void found.set(name, [...(found.get(name) ?? []), path])
  for (const directory of directories) {
    for (const name of namesIn(directory)) {
      const path = `${directory}/${name}`
      const plain = name.replace(/[-.]\d[\d.]*$/, '')
      note(name, path)
      if (plain !== name) note(plain, path)
    }
  }
  return found
}

/** Does the file hold a table of names, as such files do, with one of these in it? */
function speaksFor(file: string, denied: readonly string[]): boolean {
  const bytes = readUntrustedFile(file, MAX_PROGRAM_BYTES)
  return bytes !== null && denied.some((name) => bytes.includes(`\0${name}\0`))
}

/** Files of many programs, one of them denied. The others in it go too, unless the system itself is made of them. */
function multiCall(denied: readonly string[], directories: readonly string[]): readonly string[] {
  const essential = ESSENTIAL.map((path) => look(path))
  const places = directories.flatMap((directory) => MULTI_CALL.map((name) => realPath(`${directory}/${name}`)))
  return [...new Set(places.flatMap(({ real, kind }) => (kind === 'file' ? real : [])))].filter((real) => {
    const file = look(real)
    return file !== undefined && !essential.some((one) => isSame(one, file)) && speaksFor(real, denied)
  })
}

/** Where on this host the denied programs really are: every directory of the path and of the system, through every link. */
export function locateMasked(denied: readonly string[], path: string): readonly string[] {
  const directories = [...new Set([...path.split(':').filter((place) => place.startsWith('/')), ...SYSTEM_PLACES])]
  const present = programsIn(directories)
  const files = denied.flatMap((name) =>
    (present.get(name) ?? [])
      .map((place) => realPath(place))
      .flatMap(({ real, kind }) => (kind === 'file' && !isShared(real, name) ? real : [])),
  )
  const all = [...files, ...multiCall(denied, directories)]
  return [...new Set(all.flatMap((real) => hardLinksOf(real, directories)))].sort()
}

/** What was located last, kept while no directory of programs has changed. */
export class MaskedPrograms {
  readonly #path: string
  readonly #cache = new Map<string, readonly string[]>()
  #stamp = ''

  constructor(path: string) {
    this.#path = path
  }

  locate(denied: readonly string[]): readonly string[] {
    if (denied.length === 0) return []
    const places = [...this.#path.split(':'), ...SYSTEM_PLACES]
    const stamp = places.map((place) => look(place || '/')?.mtimeMs ?? 0).join()
    if (stamp !== this.#stamp) this.#cache.clear()
    this.#stamp = stamp
    const key = denied.join('\0')
    const known = this.#cache.get(key) ?? locateMasked(denied, this.#path)
    this.#cache.set(key, known)
    return known
  }
}
