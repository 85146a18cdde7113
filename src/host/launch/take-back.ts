import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Mount } from '../../core/model/plan.js'
import { KeptLinks } from './kept-links.js'
import { setAside, type TakenBack } from './set-aside.js'

/** Keys of a repository's configuration that run nothing. Anything else can name a program for git to start. */
const HARMLESS_KEY =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)|extensions\.\w+|user\.(name|email)|(remote|branch|submodule)\..*\.(url|fetch|remote|merge|rebase|active))$/i
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
  readonly #links: KeptLinks

  /** `root`: where the command's view of the file system is found; empty for the host's own. */
  constructor(mounts: readonly Mount[], root = '') {
    this.#root = root
    this.#links = new KeptLinks(mounts, root)
    const places = mounts.flatMap(({ op, at }) => (op === 'forbid' ? at : []))
    this.existing = new Set(places.filter((path) => isThere(root + path)))
    this.#absent = places
      .filter((path) => !this.existing.has(path))
      .map((path) => ({ path, parentIsNew: !isThere(root + dirname(path)) }))
  }

  /** To be called when nothing of the command runs any more. */
  takeBack(): readonly TakenBack[] {
    return [...this.#links.restore(true), ...this.#absent.flatMap((place) => this.#takeBackOne(place, true))]
  }

  /**
   * Takes back what appears while the command runs, so that nobody else finds it there for longer than a moment. Where that cannot be
   * done by a rename, in a view nobody else has, or when it was done often enough, it is left for the end.
   */
  watch(onTakenBack: (taken: TakenBack) => void): { stop(): void } {
    if (this.#root !== '' || this.#absent.length + this.#links.count === 0) return { stop: () => undefined }
    let left = EARLY_TAKE_BACKS
    const tell = (taken: TakenBack): void => {
      left -= 1
      onTakenBack(taken)
    }
    const look = (): void => {
      for (const taken of left > 0 ? early(() => this.#links.restore(false)) : []) tell(taken)
      for (const place of this.#absent)
        for (const taken of left > 0 ? early(() => this.#takeBackOne(place, false)) : []) tell(taken)
    }
    const timer = setInterval(look, LOOK_MS).unref()
    return { stop: () => clearInterval(timer) }
  }

  #takeBackOne({ path, parentIsNew }: Absent, isOver: boolean): readonly TakenBack[] {
    if (!isThere(this.#root + path)) return []
    const planted = firstLink(path, this.#root)
    if (planted === path && parentIsNew && isHarmless(this.#root + path)) return []
    const kept = setAside(planted, this.#root, isOver)
    return kept === null ? [] : [{ path: planted, kept }]
  }
}

function early(act: () => readonly TakenBack[]): readonly TakenBack[] {
  try {
    return act()
  } catch {
    // It was changed while we looked; at the end nobody changes it any more.
    return []
  }
}
