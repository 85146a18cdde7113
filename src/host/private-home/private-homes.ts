import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Mount, Plan } from '../../core/model/policy/plan.js'
import { SHARED_HOME } from '../../core/model/run/surroundings.js'
import type { Launcher, LaunchIo, Observer } from '../../engine/ports/ports.js'
import { privateAnswers } from './answers.js'
import { homeIn, privateDirectories } from './directories.js'
import { GitFiles } from './git-files.js'
import { type LinkOptions, linksStamp, refreshLinks } from './links.js'
import {
  isBelow,
  type MountPoint,
  makeMountPoints,
  type PrivateMountPoint,
  pointsIn,
  standsIn,
} from './mount-points.js'
import { SizeWatch } from './size-watch.js'
import { removeUnused } from './unused.js'
import { Uses } from './uses.js'

export interface PrivateHomesOptions {
  /** Cordon's own directory. */
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

/** One private home with its /tmp, as a plan mounts them. */
interface Opened {
  readonly root: string
  readonly stands: readonly (PrivateMountPoint & { readonly points: readonly MountPoint[] })[]
  /** Null: the plan has only a private /tmp. */
  readonly home: PrivateMountPoint | null
  readonly links: LinkOptions | null
  /** Changes with the entries of the real home. */
  readonly stamp: () => string
  /** Hidden paths in the workspace. */
  readonly hidden: readonly string[]
}

/** The private homes of commands. Adds their paths to plans, and prepares them before a command starts. */
export class PrivateHomes {
  readonly #options: PrivateHomesOptions
  readonly #state: string
  readonly #git: GitFiles
  readonly #sizes: SizeWatch
  readonly #uses = new Map<string, Uses>()
  readonly #known = new Map<string, Opened | null>()
  /** Stamp of the links in each home. */
  readonly #links = new Map<string, string>()

  constructor(options: PrivateHomesOptions) {
    this.#options = options
    this.#state = realState(options.state)
    this.#git = new GitFiles(options.env)
    this.#sizes = new SizeWatch(options.now)
  }

  get directory(): string {
    return join(this.#state, 'homes')
  }

  /** Returns an observer that adds the private directories and resolves paths in them. */
  observing(observer: Observer): Observer {
    return {
      answer: (questions, surroundings) => privateAnswers(observer, questions, surroundings),
      directory: (cwd, profile) => observer.directory(cwd, profile),
      identity: (path) => observer.identity(path),
      surroundings: (profile, denied, agent = null) => {
        const found = observer.surroundings(profile, denied)
        const directories = privateDirectories(this.#state, profile, found, agent)
        if (directories === null) return found
        this.#sizes.limit(join(directories.tmp, '../..'), profile.environment.homeBytes)
        return { ...found, privateDirectories: directories }
      },
    }
  }

  /** Returns a launcher that makes the private directories of a plan ready before it starts the command. */
  preparing(launcher: Launcher): Launcher {
    return {
      probe: () => launcher.probe(),
      prepare: (plan) => launcher.prepare?.(plan),
      close: async () => {
        await launcher.close()
        await this.#close()
      },
      launch: (plan, io) => {
        const opened = this.#opened(plan)
        return opened === null ? launcher.launch(plan, io) : this.#launch(launcher, plan, io, opened)
      },
    }
  }

  /** Settles after sizes are measured and unused homes are removed. */
  async #close(): Promise<void> {
    await this.#sizes.close()
    for (const uses of this.#uses.values()) uses.close()
    removeUnused(this.directory, this.#options.now())
  }

  async #launch(launcher: Launcher, plan: Plan, io: LaunchIo, opened: Opened): ReturnType<Launcher['launch']> {
    const { root } = opened
    const uses = this.#uses.get(root) ?? new Uses(root)
    this.#uses.set(root, uses)
    makeDirectories(opened, plan)
    uses.begin()
    try {
      await this.#sizes.refuse(root)
      await this.#prepare(opened, plan)
      const warning = this.#sizes.warning(root)
      if (warning !== null) io.onEvidence?.(warning)
      return await launcher.launch(plan, io)
    } finally {
      uses.end()
      this.#sizes.measure(root)
    }
  }

  async #prepare({ root, stands, home, links, stamp, hidden }: Opened, { workspace }: Plan): Promise<void> {
    try {
      for (const { from, points } of stands) makeMountPoints(from, points)
      if (home === null) return
      if (links !== null) this.#link(root, links, stamp)
      await this.#git.write({ root, home, workspace, hidden })
    } catch (error) {
      if (error instanceof CordonError) throw error
      throw new CordonError(
        'START_FAILED',
        `Cannot prepare the private home: ${(error as Error).message}. Reset it with \`cordon home reset\`.`,
      )
    }
  }

  #link(root: string, links: LinkOptions, stamp: () => string): void {
    const file = join(root, 'links')
    const now = stamp()
    if ((this.#links.get(root) ?? textOf(file)) === now) return
    refreshLinks(links)
    const made = stamp()
    writeFileSync(file, made)
    this.#links.set(root, made)
  }

  /** Returns the directories of a plan, computed once for all plans with the same mounts. */
  #opened(plan: Plan): Opened | null {
    const mounts = plan.sandbox.kind === 'none' ? [] : plan.sandbox.mounts
    const key = JSON.stringify([mounts, plan.workspace])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const opened = openedBy(mounts, this.directory, plan.workspace)
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(key, opened)
    return opened
  }
}

const MAX_KNOWN = 32

function openedBy(mounts: readonly Mount[], directory: string, workspace: string): Opened | null {
  const stands = standsIn(mounts, directory).map((stand) => ({ ...stand, points: pointsIn(mounts, stand) }))
  const [first] = stands
  if (first === undefined) return null
  const root = join(directory, first.from.slice(directory.length + 1).split('/')[0] ?? '')
  const home = stands.find(({ from }) => from === homeIn(root)) ?? null
  const links = home === null ? null : linksIn(mounts, home)
  const hidden = mounts.flatMap(({ op, at }) => (op.startsWith('hide-') && isBelow(at, workspace) ? at : []))
  return { root, stands, home, links, stamp: links === null ? () => '' : linksStamp(links), hidden }
}

const below = (path: string, base: string): readonly string[] =>
  path !== base && isBelow(path, base) ? [path.slice(base.length + 1)] : []

function linksIn(mounts: readonly Mount[], home: PrivateMountPoint): LinkOptions | null {
  const shared = mounts.flatMap(({ op, at }) => (op === 'read' && isBelow(at, SHARED_HOME) ? at : []))
  if (shared.length === 0) return null
  return {
    from: home.from,
    realHome: home.at,
    only: shared.includes(SHARED_HOME) ? null : shared.flatMap((at) => below(at, SHARED_HOME)),
    points: mounts.flatMap(({ at }) => below(at, home.at)),
    hidden: mounts.flatMap(({ op, at }) => (op.startsWith('hide-') ? below(at, SHARED_HOME) : [])),
  }
}

/** The path in a plan must be free of symlinks, for the sandbox is compared with it. */
function realState(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Programs expect these to be there. */
const USUAL = ['.cache', '.config', '.local/bin', '.local/share']

function makeDirectories({ root, stands }: Opened, { workspace, profile }: Plan): void {
  const isMissing = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) === undefined
  if (isMissing(join(root, 'about.json'))) {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    writeFileSync(join(root, 'about.json'), JSON.stringify({ workspace, profile }))
  }
  for (const { from } of stands) {
    if (!isMissing(from)) continue
    mkdirSync(from, { recursive: true, mode: 0o700 })
    if (from === homeIn(root)) for (const path of USUAL) mkdirSync(join(from, path), { recursive: true })
    else chmodSync(from, 0o1777)
  }
}
