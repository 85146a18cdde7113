import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { type GitSetting, isPassed } from './git-settings.js'

/** Result of reading the person's git configuration. */
export interface PersonGit {
  readonly settings: readonly GitSetting[]
  /** Text of the person's own ignore file. */
  readonly excludes: string
}

interface Kept {
  /** Every file read, with time and size; null if it was missing. */
  readonly stamps: readonly (readonly [file: string, stamp: string | null])[]
  readonly git: PersonGit
}

export interface PersonGitOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Evaluates the conditions of `includeIf` for this directory. */
  readonly workspace: string
  /** File that caches the result until one of the files changes. */
  readonly cache: string
}

/** Git only reads files, yet a repository can make it read slow ones. */
const TIMEOUT_MS = 2_000
const MAX_BYTES = 4 * 1024 * 1024

function stampOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.mtimeMs}:${stats.size}:${stats.ino}`
}

function safeStamp(file: string): string | null {
  try {
    return stampOf(file)
  } catch {
    return null
  }
}

const configHomeOf = ({ home, env }: PersonGitOptions): string => env.XDG_CONFIG_HOME || `${home}/.config`

function textOf(file: string): string {
  return readUntrustedFile(file, MAX_BYTES, 'follow')?.toString('utf8') ?? ''
}

/** Runs `git config --list`, which runs no other program. Empty where there is no git. */
function listed(options: PersonGitOptions): Promise<string> {
  const { PATH = '/usr/bin:/bin' } = options.env
  const env = { PATH, HOME: options.home, XDG_CONFIG_HOME: configHomeOf(options), GIT_OPTIONAL_LOCKS: '0' }
  const args = ['-C', options.workspace, 'config', '--global', '--includes', '--show-origin', '--list', '-z']
  return new Promise((settle) => {
    const limits = { env, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, encoding: 'utf8' } as const
    execFile('git', args, limits, (_, stdout) => settle(stdout))
  })
}

async function read(options: PersonGitOptions): Promise<Kept> {
  const files = new Set([`${configHomeOf(options)}/git/config`, `${options.home}/.gitconfig`])
  const settings: GitSetting[] = []
  const fields = (await listed(options)).split('\0')
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [origin = '', entry = ''] = [fields[i], fields[i + 1]]
    if (origin.startsWith('file:')) files.add(resolve(options.workspace, origin.slice('file:'.length)))
    const end = entry.indexOf('\n')
    // A key without a value is a switch that is on.
    settings.push(end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)])
  }
  const named = settings.findLast(([key]) => key.toLowerCase() === 'core.excludesfile')?.[1]
  const ignores = named
    ? resolve(options.home, named.replace(/^~\//, `${options.home}/`))
    : `${configHomeOf(options)}/git/ignore`
  files.add(ignores)
  const stamps = [...files].map((file) => [file, safeStamp(file)] as const)
  return { stamps, git: { settings: settings.filter(isPassed), excludes: textOf(ignores) } }
}

const isFresh = ({ stamps }: Kept): boolean => stamps.every(([file, stamp]) => safeStamp(file) === stamp)

function kept(cache: string): Kept | null {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as Kept
  } catch {
    return null
  }
}

/** Returns the person's git configuration. Starts git only if one of its files has changed since the last time. */
export class PersonGitReader {
  readonly #known = new Map<string, Kept>()

  async read(options: PersonGitOptions): Promise<PersonGit> {
    const known = this.#known.get(options.cache) ?? kept(options.cache)
    if (known !== null && isFresh(known)) {
      this.#known.set(options.cache, known)
      return known.git
    }
    const made = await read(options)
    this.#known.set(options.cache, made)
    writeFileSync(options.cache, JSON.stringify(made), { mode: 0o600 })
    return made.git
  }
}
