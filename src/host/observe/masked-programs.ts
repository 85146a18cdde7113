import { type Stats, statSync } from 'node:fs'
import { baseName } from '../../core/model/basics/path.js'
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
  // Programs that others start by path, or that the host starts at boot, often with a busybox.
  '/usr/libexec',
  '/usr/lib/git-core',
  '/usr/lib/klibc/bin',
  '/usr/lib/initramfs-tools/bin',
]
/** Never masked: the sandbox starts commands with these, and masks are scripts. */
const INDISPENSABLE = new Set(['bash', 'sh', 'dash', 'env'])
/**
 * Masked only if they are denied themselves, not as link targets of a denied name, because that would disable a whole
 * language.
 */
const LANGUAGES = new Set(['perl', 'python'])
/** Programs with many names in one file. Their shells run applets even without a new process. */
const MULTI_CALL: readonly string[] = ['busybox', 'toybox', 'coreutils']
/** Programs that a host needs. A multi-call file with one of these names is not masked. */
const ESSENTIAL: readonly string[] = ['/bin/sh', '/bin/bash', '/usr/bin/bash', '/bin/ls', '/usr/bin/env']

/** Limit of names. A directory of the workspace may be on PATH, with any content. */
const MAX_NAMES = 20_000
/** The largest such programs have 3 MB. */
const MAX_PROGRAM_BYTES = 16 * 1024 * 1024

/** Returns the stats of a path. Inaccessible paths (EACCES, ELOOP) contain no runnable program. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const namesIn = (directory: string): readonly string[] => entriesOf(directory, MAX_NAMES).map(({ name }) => name)

const isSame = (a: Stats | undefined, b: Stats): boolean => a?.ino === b.ino && a.dev === b.dev

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

/** Returns the programs of the directories by name. `gcc-12` counts as gcc and `python3.12` as python3. */
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

/** Reports whether a file contains an applet table with one of these names. */
function hasApplet(file: string, denied: readonly string[]): boolean {
  const bytes = readUntrustedFile(file, MAX_PROGRAM_BYTES)
  return bytes !== null && denied.some((name) => bytes.includes(`\0${name}\0`))
}

/**
 * Returns multi-call files with a denied program. Their other applets are masked too, unless the system itself depends
 * on the file.
 */
function multiCall(denied: readonly string[], directories: readonly string[]): readonly string[] {
  const essential = ESSENTIAL.map((path) => look(path))
  const places = directories.flatMap((directory) => MULTI_CALL.map((name) => realPath(`${directory}/${name}`)))
  return [...new Set(places.flatMap(({ real, kind }) => (kind === 'file' ? real : [])))].filter((real) => {
    const file = look(real)
    return file !== undefined && !essential.some((one) => isSame(one, file)) && hasApplet(real, denied)
  })
}

/**
 * Returns the real paths of the denied programs, in every directory of PATH and of the system, through every symlink.
 */
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

/** Caches the last result while no program directory changes. */
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
