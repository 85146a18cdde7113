import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { gitlinksOf } from './gitlinks.js'

/** More than this are not looked at. */
const MAX_REPOSITORIES = 1_000
const MAX_BYTES = 64 * 1024

/** A repository in the tree of another. */
export interface Nested {
  /** Its `.git`: a directory, or a file that says where that is. */
  readonly dotGit: string
  /** Where its configuration is; null where that cannot be told. */
  readonly gitDirectory: string | null
}

/** What runs programs on behalf of a repository, or leads git to another place for that. */
export const guardedIn = (gitDirectory: string): readonly string[] =>
  ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `${gitDirectory}/${name}`)

function kindOf(path: string): 'file' | 'directory' | 'other' | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other'
  } catch {
    return null
  }
}

function textOf(path: string): string | null {
  try {
    return lstatSync(path).size > MAX_BYTES ? null : readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Where a `.git` leads, as the view below `root` has it. */
export function gitDirectoryAt(dotGit: string, root = ''): string | null {
  const kind = kindOf(root + dotGit)
  if (kind === 'directory') return dotGit
  const target = kind === 'file' ? /^gitdir: (.+?)\s*$/.exec(textOf(root + dotGit) ?? '')?.[1] : undefined
  return target === undefined ? null : resolve(dirname(dotGit), target)
}

/** Is this a directory of the tree, by a name that leads nowhere else? The index is the command's, and may name any place of the host. */
function isInTree(path: string, tree: string, root: string): boolean {
  const names = path.replace(/\/$/, '').split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return false
  return names.every((_, index) => kindOf(`${root}${tree}/${names.slice(0, index + 1).join('/')}`) === 'directory')
}

/** The repositories that git goes into by itself when it looks at this one, those inside them included. */
export function nestedRepositories(tree: string, gitDirectory: string, root = ''): readonly Nested[] {
  const found: Nested[] = []
  const ahead = [[tree, gitDirectory] as const]
  for (let next = ahead.shift(); next !== undefined && found.length < MAX_REPOSITORIES; next = ahead.shift()) {
    for (const path of gitlinksOf(root + next[1])) {
      if (!isInTree(path, next[0], root)) continue
      const dotGit = resolve(next[0], path, '.git')
      if (kindOf(root + dotGit) === null || found.some((one) => one.dotGit === dotGit)) continue
      const inner = gitDirectoryAt(dotGit, root)
      found.push({ dotGit, gitDirectory: inner })
      if (inner !== null) ahead.push([dirname(dotGit), inner])
    }
  }
  return found
}

/** Keys of a repository's configuration that run nothing. Anything else can name a program for git to start. */
const HARMLESS_KEY =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)|extensions\.\w+|user\.(name|email)|(remote|branch|submodule)\..*\.(url|fetch|remote|merge|rebase|active))$/i

/** The keys of a configuration; null where a line is none that every git reads alike. */
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

/** Is this a configuration that runs nothing? One of a submodule also says where its tree is. */
export function isHarmlessConfig(path: string): boolean {
  const text = kindOf(path) === 'file' ? textOf(path) : null
  const isModule = path.includes('/.git/modules/')
  return (
    text !== null &&
    (configKeys(text)?.every((key) => HARMLESS_KEY.test(key) || (isModule && key === 'core.worktree')) ?? false)
  )
}

/** Only the samples that a fresh repository brings. */
export function areHarmlessHooks(path: string): boolean {
  try {
    return kindOf(path) === 'directory' && readdirSync(path).every((name) => name.endsWith('.sample'))
  } catch {
    return false
  }
}

/** May git be led into a repository that a command made? */
export function isHarmless({ gitDirectory }: Nested, root = ''): boolean {
  if (gitDirectory === null) return false
  return guardedIn(root + gitDirectory).every((path) => {
    if (kindOf(path) === null) return true
    return path.endsWith('/config') ? isHarmlessConfig(path) : path.endsWith('/hooks') && areHarmlessHooks(path)
  })
}
