import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Describes a git directory by its meaning: HEAD, branches, tags, stashes, configuration, status, unfinished
 * operations. A commit is named by its tree, message, author and parents, because its own hash depends on the time.
 */
export function repositoryMeaning(directory: string): ReadonlyMap<string, string> {
  const git = (...args: readonly string[]): string => output(directory, args)
  const names = commitNames(
    git('log', '--all', '--reflog', '--topo-order', '--reverse', '--format=%x01%H%x00%P%x00%T%x00%an <%ae>%x00%B'),
  )
  const nameOf = (text: string): string => text.replace(/\b[0-9a-f]{40}\b/g, (commit) => names.get(commit) ?? commit)
  const meaning = new Map<string, string>()
  meaning.set('HEAD', nameOf(readFileSync(join(directory, 'HEAD'), 'utf8').trim()))
  const refs = git('for-each-ref', '--format=%(refname)%00%(*objectname) %(objectname) %(objecttype)')
  for (const line of refs.split('\n').filter((text) => text !== '')) {
    const [name, value] = line.split('\0') as [string, string]
    // The hash of an annotated tag depends on the time.
    meaning.set(name, nameOf(value.replace(/ [0-9a-f]{40} tag$/, ' tag').trim()))
  }
  meaning.set('stash', nameOf(git('stash', 'list', '--format=%H %gs')).replace(/\b[0-9a-f]{7}\b/g, '<hash>'))
  meaning.set('config', readIf(join(directory, 'config')))
  meaning.set('hooks', readdirIf(join(directory, 'hooks')).join(' '))
  meaning.set('exclude', readIf(join(directory, 'info/exclude')))
  meaning.set(
    'unfinished',
    ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'index.lock']
      .filter((name) => existsSync(join(directory, name)))
      .join(' '),
  )
  if (basename(directory) === '.git')
    meaning.set('status', git('-C', dirname(directory), 'status', '--porcelain=v1', '--branch'))
  return meaning
}

/** The whole of git's configuration but the repository's own is left out: it must not depend on who runs the tests. */
const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
}

function output(directory: string, args: readonly string[]): string {
  const place = args[0] === '-C' ? [] : [`--git-dir=${directory}`]
  const { stdout, stderr, status } = spawnSync('git', ['-c', 'safe.directory=*', ...place, ...args], {
    env: ENV,
    encoding: 'utf8',
    cwd: directory,
    maxBuffer: 1 << 26,
  })
  return status === 0 ? stdout.trimEnd() : `failed: ${stderr.trim()}`
}

function commitNames(log: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const record of log.split('\u0001').slice(1)) {
    const [commit, parents, ...rest] = record.split('\0') as [string, string, ...string[]]
    const message = (rest.at(-1) as string).trim().replace(/\b[0-9a-f]{7,40}\b/g, '<hash>')
    const before = parents.split(' ').map((parent) => names.get(parent) ?? parent)
    const digest = createHash('sha256')
      .update([...before, ...rest.slice(0, -1), message].join('\0'))
      .digest('hex')
    names.set(commit, `commit(${digest.slice(0, 8)} ${message.split('\n')[0]})`)
  }
  return names
}

const readIf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '')
const readdirIf = (path: string): readonly string[] =>
  existsSync(path)
    ? readdirSync(path)
        .filter((name) => !name.endsWith('.sample'))
        .sort()
    : []
