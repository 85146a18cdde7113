import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitExcludes, globalGitConfig, withGenerated, withGeneratedSettings } from './git-settings.js'
import type { PrivateMountPoint } from './mount-points.js'
import { PersonGitReader } from './person-git.js'
import { within } from './private-directory.js'

interface Target {
  readonly root: string
  readonly home: PrivateMountPoint
  readonly workspace: string
  /** Hidden paths in the workspace. */
  readonly hidden: readonly string[]
}

const CONFIG = '.gitconfig'
const IGNORE = '.config/git/ignore'

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Returns the top directory of the repository in which the path is, or null. */
function repositoryOf(path: string): string | null {
  for (let at = dirname(path); at !== '/'; at = dirname(at)) if (isThere(`${at}/.git`)) return at
  return null
}

/** Returns the paths relative to their repositories: git must neither read nor add them. */
function hiddenFromGit(hidden: readonly string[]): readonly string[] {
  const paths = hidden.flatMap((at) => {
    const top = repositoryOf(at)
    return top === null ? [] : at.slice(top.length + 1)
  })
  return [...new Set(paths)].sort()
}

/** Writes the global git configuration and the ignore file of a private home. */
export class GitFiles {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #person = new PersonGitReader()
  /** The last written texts with the state of the files. */
  readonly #written = new Map<string, string>()

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
  }

  async write({ root, home, workspace, hidden }: Target): Promise<void> {
    const cache = join(root, 'git-person.json')
    const person = await this.#person.read({ home: home.at, env: this.#env, workspace, cache })
    const config = globalGitConfig({ person: person.settings, excludesFile: `${home.at}/${IGNORE}` })
    const ignored = gitExcludes({ person: person.excludes, hidden: hiddenFromGit(hidden) })
    const state = (): string =>
      [config, ignored, ...[CONFIG, IGNORE].map((path) => stampOf(`${home.from}/${path}`))].join('\0')
    if (this.#written.get(root) === state()) return
    for (const [path, text] of [
      [CONFIG, config],
      [IGNORE, ignored],
    ] as const)
      writeGenerated(home.from, path, text)
    this.#written.set(root, state())
  }
}

function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.mtimeMs}:${stats.size}:${stats.ino}`
  } catch {
    return '-'
  }
}

function writeGenerated(home: string, path: string, generated: string): void {
  const end = path.lastIndexOf('/')
  const name = path.slice(end + 1)
  within(home, path.slice(0, Math.max(0, end)), (directory) => {
    const before = directory.read(name)
    const text = (path === CONFIG ? withGeneratedSettings : withGenerated)(generated, before)
    if (text !== before) directory.write(name, text)
  })
}
