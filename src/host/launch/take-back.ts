import {
  closeSync,
  constants,
  cpSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Mount } from '../../core/model/plan.js'

/** Keys of a repository's configuration that run nothing. Anything else can name a program for git to start. */
const HARMLESS_KEY =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)|extensions\.\w+|user\.(name|email)|(remote|branch|submodule)\..*\.(url|fetch|remote|merge|rebase|active))$/i
const O_PATH = 0o10000000
const MAX_CONFIG_BYTES = 64 * 1024
const LOOK_MS = 50
/** A command that makes a protected place again and again fills the host's temporary directory only so far. */
const EARLY_TAKE_BACKS = 8

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function configKeys(text: string): string[] | null {
  let section = ''
  const keys: string[] = []
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue
    const header = /^\[\s*([\w.-]+)(?:\s+"([^"\\]*)")?\s*\]$/.exec(line)
    const key = /^([A-Za-z][\w-]*)\s*=[^\\]*$/.exec(line)
    if (header) section = [header[1], header[2]].filter((part) => part !== undefined).join('.')
    else if (key) keys.push(`${section}.${key[1]}`)
    else return null
  }
  return keys
}

/** A fresh repository needs its configuration and brings sample hooks; both may stay while they cannot run anything. */
function isHarmless(path: string): boolean {
  try {
    const stats = lstatSync(path)
    if (path.endsWith('/.git/hooks'))
      return stats.isDirectory() && readdirSync(path).every((name) => name.endsWith('.sample'))
    if (!path.endsWith('/.git/config') || !stats.isFile() || stats.size > MAX_CONFIG_BYTES) return false
    return configKeys(readFileSync(path, 'utf8'))?.every((key) => HARMLESS_KEY.test(key)) ?? false
  } catch {
    return false
  }
}

/** The place itself, or the first link on the way to it: planned paths have none, so one that is there now was planted. */
function firstLink(path: string, root: string): string {
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const prefix = path.slice(0, end)
    if (lstatSync(root + prefix, { throwIfNoEntry: false })?.isSymbolicLink()) return prefix
  }
  return path
}

/**
 * Moved by way of an open directory that is checked to be where it was planned to be: a link planted at the last moment would
 * otherwise have us move a file of somebody else's choice.
 */
function setAside(path: string, root: string, isOver: boolean): string | null {
  const directory = openSync(root + dirname(path), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    // In a transaction's own view no other command runs, and the path could not be compared.
    if (root === '' && readlinkSync(`/proc/self/fd/${directory}`) !== dirname(path)) return null
    const held = `/proc/self/fd/${directory}/${basename(path)}`
    const place = mkdtempSync(join(tmpdir(), 'cordon-taken-back-'))
    const kept = join(place, basename(path))
    try {
      renameSync(held, kept)
    } catch {
      // Copying and deleting go through paths, under which a running command could put something else.
      if (!isOver) {
        rmSync(place, { recursive: true })
        return null
      }
      cpSync(held, kept, { recursive: true, verbatimSymlinks: true })
      rmSync(held, { recursive: true, force: true })
    }
    return kept
  } finally {
    closeSync(directory)
  }
}

/** A protected place that a command made though it may not, and where it was put aside. */
export interface TakenBack {
  readonly path: string
  readonly kept: string
}

/** A protected place that did not exist when the command was started. */
interface Absent {
  readonly path: string
  readonly parentIsNew: boolean
}

/**
 * Protected places that do not exist cannot be mounted over without making them, on the host and for all to see. So they are
 * watched instead: whatever stands there when every process of the command is dead is taken out of the way, before the ending is
 * reported and so before anything trusts it, and is kept elsewhere in case a person made it meanwhile.
 */
export class ForbiddenPlaces {
  /** Those that exist by now are mounted read-only like any other protected place. */
  readonly existing: ReadonlySet<string>
  readonly #root: string
  readonly #absent: readonly Absent[]

  /** `root`: where the command's view of the file system is found; empty for the host's own. */
  constructor(mounts: readonly Mount[], root = '') {
    this.#root = root
    const places = mounts.flatMap(({ op, at }) => (op === 'forbid' ? at : []))
    this.existing = new Set(places.filter((path) => isThere(root + path)))
    this.#absent = places
      .filter((path) => !this.existing.has(path))
      .map((path) => ({ path, parentIsNew: !isThere(root + dirname(path)) }))
  }

  /** To be called when nothing of the command runs any more. */
  takeBack(): readonly TakenBack[] {
    return this.#absent.flatMap((place) => this.#takeBackOne(place, true))
  }

  /**
   * Takes back what appears while the command runs, so that nobody else finds it there for longer than a moment. Where that cannot be
   * done by a rename, in a view nobody else has, or when it was done often enough, it is left for the end.
   */
  watch(onTakenBack: (taken: TakenBack) => void): { stop(): void } {
    if (this.#root !== '' || this.#absent.length === 0) return { stop: () => undefined }
    let left = EARLY_TAKE_BACKS
    const look = (): void => {
      for (const place of this.#absent) {
        for (const taken of left > 0 ? this.#takeBackEarly(place) : []) {
          left -= 1
          onTakenBack(taken)
        }
      }
    }
    const timer = setInterval(look, LOOK_MS).unref()
    return { stop: () => clearInterval(timer) }
  }

  #takeBackEarly(place: Absent): readonly TakenBack[] {
    try {
      return this.#takeBackOne(place, false)
    } catch {
      // It was changed while we looked; at the end nobody changes it any more.
      return []
    }
  }

  #takeBackOne({ path, parentIsNew }: Absent, isOver: boolean): readonly TakenBack[] {
    if (!isThere(this.#root + path)) return []
    const planted = firstLink(path, this.#root)
    if (planted === path && parentIsNew && isHarmless(this.#root + path)) return []
    const kept = setAside(planted, this.#root, isOver)
    return kept === null ? [] : [{ path: planted, kept }]
  }
}
