import { readdirSync, type Stats, statSync } from 'node:fs'
import { baseName } from '../../core/model/path.js'
import { realPath } from './real-path.js'

const SYSTEM_PLACES: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/snap/bin',
]
/** One file for many programs: masking it would take all of them away. The reader still refuses the denied ones by name. */
const MULTI_CALL = new Set(['busybox', 'toybox', 'coreutils', 'bash', 'sh', 'dash', 'env', 'perl', 'python3'])

/** A place of PATH that may not be looked at (EACCES, ELOOP) holds nothing that could be run from it. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

const isSame = (a: Stats | undefined, b: Stats): boolean => a?.ino === b.ino && a.dev === b.dev

/** Every file in the directories that is the same as this one under another name. */
function hardLinksOf(path: string, directories: readonly string[]): string[] {
  const file = look(path)
  if (file === undefined || !file.isFile() || file.nlink === 1) return [path]
  const all = directories.flatMap((directory) => namesIn(directory).map((name) => `${directory}/${name}`))
  return [path, ...all.filter((other) => isSame(look(other), file)).map((other) => realPath(other).real)]
}

/** Where on this host the denied programs really are: every directory of the path and of the system, through every link. */
export function locateMasked(denied: readonly string[], path: string): readonly string[] {
  const directories = [...new Set([...path.split(':').filter((place) => place.startsWith('/')), ...SYSTEM_PLACES])]
  const present = new Map(directories.map((directory) => [directory, new Set(namesIn(directory))]))
  const found = denied.flatMap((name) =>
    directories
      .filter((directory) => present.get(directory)?.has(name))
      .map((directory) => realPath(`${directory}/${name}`)),
  )
  const files = found.filter(
    ({ real, kind }) => kind === 'file' && !MULTI_CALL.has(baseName(real).replace(/[\d.]+$/, '')),
  )
  return [...new Set(files.flatMap(({ real }) => hardLinksOf(real, directories)))].sort()
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
