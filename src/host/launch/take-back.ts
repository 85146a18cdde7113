import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Mount } from '../../core/model/plan.js'
import { areHarmlessHooks, isHarmlessConfig } from '../git/repositories.js'
import { KeptLinks } from './kept-links.js'
import { openUpWay } from './open-up.js'
import { PlantedRepositories } from './planted-repositories.js'
import { setAside, type TakenBack } from './set-aside.js'

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

/** A fresh repository needs its directory and configuration, and brings sample hooks; all may stay while they cannot run anything. */
function mayStay(path: string): boolean {
  if (path.endsWith('/.git')) return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return (
    (path.endsWith('/.git/hooks') && areHarmlessHooks(path)) ||
    (path.endsWith('/.git/config') && isHarmlessConfig(path))
  )
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
  readonly #planted: PlantedRepositories

  /** `root`: where the command's view of the file system is found; empty for the host's own. `existing`: where it is known which do. */
  constructor(mounts: readonly Mount[], root = '', existing?: ReadonlySet<string>) {
    this.#root = root
    this.#links = new KeptLinks(mounts, root)
    this.#planted = new PlantedRepositories(mounts, root)
    const places = mounts.flatMap(({ op, at }) => (op === 'forbid' ? at : []))
    this.existing = existing ?? new Set(places.filter((path) => isThere(root + path)))
    const absent = places.filter((path) => !this.existing.has(path))
    const parents = new Set(absent.map((path) => dirname(path)))
    const missing = new Set([...parents].filter((path) => !isThere(root + path)))
    this.#absent = absent.map((path) => ({ path, parentIsNew: missing.has(dirname(path)) }))
  }

  /** To be called when nothing of the command runs any more. What cannot be taken back keeps nothing else from it. */
  takeBack(onTakenBack: (taken: TakenBack) => void): void {
    const failures: unknown[] = []
    const attempt = (act: () => readonly TakenBack[]): void => {
      try {
        for (const taken of act()) onTakenBack(taken)
      } catch (error) {
        failures.push(error)
      }
    }
    attempt(() => this.#links.restore(true))
    for (const place of this.#absent) attempt(() => this.#takeBackOne(place, true))
    attempt(() => this.#planted.takeBack())
    if (failures.length > 0) throw failures[0]
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
    // It would keep us from looking, and whoever plans the next command too.
    if (isOver) openUpWay(path, this.#root)
    if (!isThere(this.#root + path)) return []
    const planted = firstLink(path, this.#root)
    if (planted === path && (parentIsNew || path.endsWith('/.git')) && mayStay(this.#root + path)) return []
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
