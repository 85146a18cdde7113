import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Objection } from '../../core/git/compare-settings.js'
import { revertSettings } from '../../core/git/revert-settings.js'
import { isPlainAddress } from '../../core/git/setting-table.js'
import type { Evidence } from '../../core/model/run/evidence.js'
import { Turns } from '../untrusted-files/turns.js'
import { KeptCopies } from './keep-copy.js'
import { isOperationDirectory, judgeOperationFile, OPERATION_FILES, operationFileAt } from './operation-files.js'
import { View } from './view.js'

/** One path that a command changed: absolute, one character per byte. */
export interface ChangedPath {
  readonly path: string
  readonly act: 'put' | 'mkdir' | 'drop' | 'rmdir' | 'meta'
}

/** Input of a review. */
export interface Reviewing {
  readonly changes: readonly ChangedPath[]
  /** Directories that the command could write, by their bytes. */
  readonly roots: readonly string[]
  /** Root of the file system after the command. */
  readonly view: string
  /** Keys of git's configuration, and paths of tools' settings, that a person has approved. */
  readonly approved: readonly string[]
}

export interface Reviewed {
  /** Changes at or below these paths must not reach the real tree. */
  readonly refused: ReadonlySet<string>
  /** Files edited in the view, whose current content is kept. */
  readonly edited: ReadonlySet<string>
  /** One notice per file, up to a number. */
  readonly notices: readonly Evidence[]
}

const GUARDED = /^(.*)\/(?:config|config\.worktree|commondir|HEAD|objects|refs|hooks(?:\/.*)?)$/s
/** Settings of other version control systems with programs, and files that lead them to other settings. */
const OTHER_SETTINGS =
  /\/(?:\.hg\/(?:hgrc|hgrc-not-shared|sharedpath)|\.sl\/(?:config|sharedpath)|\.jj\/(?:repo|repo\/config\.toml|workspace-config\.toml)|_darcs\/prefs\/defaults)$/
/** Matches the settings that `hg clone` writes. */
const ADDRESS_ONLY = /^(?:#.*\n|\s*\n|\[paths\]\n|default = (\S+)\n)*$/
const CONFIGS: readonly string[] = ['config', 'config.worktree']
const MODULE = /\/modules\//
const MOST_NOTICES = 25

/**
 * Reviews repository changes before they are committed to the real tree: configuration by the table of keys, hooks, and
 * files that redirect git. Repositories that the command created are judged as a whole.
 */
export function reviewChanges(reviewing: Reviewing): Promise<Reviewed> {
  return new Review(reviewing).run()
}

class Review {
  readonly #of: Reviewing
  readonly #now: View
  readonly #before: View
  readonly #changed: ReadonlyMap<string, ChangedPath['act']>
  readonly #refused = new Set<string>()
  readonly #edited = new Set<string>()
  readonly #notices: Evidence[] = []
  readonly #copies = new KeptCopies()
  readonly #turns = new Turns()
  /** Changed paths, and all directories above them. */
  readonly #touched = new Set<string>()

  constructor(of: Reviewing) {
    this.#of = of
    this.#now = new View(of.view, of.roots)
    this.#before = new View('', of.roots)
    this.#changed = new Map(of.changes.map(({ path, act }) => [path, act]))
  }

  async run(): Promise<Reviewed> {
    const paths = [...this.#changed.keys()]
    const directories = new Set<string>()
    for (const path of paths) {
      await this.#turns.next()
      this.#touch(path)
      const directory = GUARDED.exec(path)?.[1]
      if (directory !== undefined) directories.add(directory)
    }
    for (const directory of directories) await this.#reviewDirectory(directory)
    for (const path of paths) await this.#reviewPath(path)
    return { refused: this.#refused, edited: this.#edited, notices: this.#shownNotices() }
  }

  #touch(path: string): void {
    for (let at = path; at !== '' && !this.#touched.has(at); at = dirname(at)) {
      this.#touched.add(at)
      if (at === dirname(at)) return
    }
  }

  async #reviewPath(path: string): Promise<void> {
    await this.#turns.next()
    const isPut = this.#changed.get(path) === 'put'
    if (isPut && path.endsWith('/.git')) await this.#reviewDotGit(path)
    if (isPut && OTHER_SETTINGS.test(path) && !this.#namesAddressOnly(path))
      await this.#quarantine(path, path, 'version control would run or trust its content')
    const [directory, name] = operationFileAt(path) ?? []
    if (directory !== undefined && name !== undefined && this.#now.isGitDirectory(directory))
      await this.#reviewOperation(directory, name, false)
  }

  #namesAddressOnly(path: string): boolean {
    const [, address] = ADDRESS_ONLY.exec(this.#now.text(path) ?? '-') ?? []
    return address !== undefined && isPlainAddress(address)
  }

  #shownNotices(): readonly Evidence[] {
    const more = this.#notices.length - MOST_NOTICES
    if (more <= 0) return this.#notices
    return [...this.#notices.slice(0, MOST_NOTICES), { kind: 'git', did: `did the same with ${more} more files` }]
  }

  async #reviewDirectory(directory: string): Promise<void> {
    await this.#turns.next()
    const isDotGit = directory.endsWith('/.git')
    if (!this.#now.isGitDirectory(directory) && !(isDotGit && this.#now.isDirectory(directory))) return
    const isNew = !this.#before.isGitDirectory(directory)
    for (const name of CONFIGS) this.#reviewConfig(`${directory}/${name}`, isNew)
    await this.#reviewCommonDirectory(directory, isNew)
    await this.#reviewHooks(`${directory}/hooks`, isNew, directory)
    if (isNew) for (const name of OPERATION_FILES) await this.#reviewOperation(directory, name, true)
  }

  /** The state of an interrupted rebase and its like: a person's `git rebase --continue` would run what is in it. */
  async #reviewOperation(directory: string, name: string, isNew: boolean): Promise<void> {
    const path = `${directory}/${name}`
    if (!this.#now.isThere(path) || (isNew && this.#changed.has(path))) return
    if (isOperationDirectory(name) && this.#now.isDirectory(path)) {
      const brought = isNew && /^(?:remotes|branches)$/.test(name) ? this.#now.names(path) : []
      if (brought.length > 0) await this.#quarantine(path, directory, 'git would read remote URLs from it')
      return
    }
    const verdict = judgeOperationFile(name, this.#now.text(path), this.#before.text(path))
    if (verdict === 'keep') return
    if (verdict === 'refuse' || !this.#changed.has(path) || !this.#write(path, verdict.text)) {
      await this.#quarantine(path, directory, 'git would run or trust its content')
      return
    }
    this.#edited.add(path)
    const lines = verdict.taken.map((line) => line.trim()).join('; ')
    this.#notice(`removed lines that run programs from ${shown(path)}: ${shown(lines)}`)
  }

  #reviewConfig(path: string, isNew: boolean): void {
    const isChanged = this.#changed.has(path)
    if (!isChanged && !(isNew && this.#now.isThere(path))) return
    const before = isNew ? null : (this.#before.text(path) ?? (this.#before.isThere(path) ? null : ''))
    const after = this.#now.isThere(path) ? this.#now.text(path) : ''
    if (after === null || (before === null && !isNew)) {
      this.#refuseWhole(path, isNew, 'cannot read it')
      return
    }
    const { approved } = this.#of
    const { text, objections } = revertSettings({ before, after, isModule: MODULE.test(path), approved })
    if (text === after) return
    const isEdited = text !== null && isChanged && this.#now.isThere(path) && this.#write(path, text)
    if (isEdited) {
      this.#edited.add(path)
      this.#notice(`restored settings in ${shown(path)}: ${reasonOf(objections)}`)
    } else this.#refuseWhole(path, isNew, objections.length > 0 ? reasonOf(objections) : 'git cannot read it')
  }

  /** Keeps the old file, or none, on the host. If a new repository owns the file, it is disarmed. */
  #refuseWhole(path: string, isNew: boolean, why: string): void {
    if (this.#changed.has(path)) this.#refused.add(path)
    else this.#disarm(dirname(path))
    this.#notice(`did not keep the ${isNew ? 'new' : 'changed'} ${shown(path)}: ${why}`)
  }

  #notice(did: string): void {
    this.#notices.push({ kind: 'git', did })
  }

  /** Refuses the marker files of a repository. At least one is new, because the directory was no repository before. */
  #disarm(directory: string): void {
    for (const name of ['HEAD', 'objects', 'refs', 'commondir']) this.#refused.add(`${directory}/${name}`)
  }

  #write(path: string, text: string): boolean {
    if (this.#now.stats(path)?.nlink !== 1) return false
    try {
      const file = openSync(this.#now.place(path), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        ftruncateSync(file, 0)
        writeSync(file, Buffer.from(text, 'latin1'))
        return true
      } finally {
        closeSync(file)
      }
    } catch {
      return false
    }
  }

  /** A linked worktree shares what its repository has, and nothing else may be shared. */
  async #reviewCommonDirectory(directory: string, isNew: boolean): Promise<void> {
    const path = `${directory}/commondir`
    if (!this.#now.isThere(path) || !(isNew || this.#changed.has(path))) return
    const common = this.#now.commonDirectoryOf(directory)
    if (common !== null && dirname(dirname(directory)) === common && /\/worktrees\/[^/]+$/.test(directory)) return
    await this.#quarantine(
      path,
      directory,
      `it points git to ${common === null ? 'an unknown directory' : shown(common)}`,
    )
  }

  async #reviewHooks(path: string, isNew: boolean, directory: string): Promise<void> {
    if (this.#now.isThere(path) && !this.#now.isDirectory(path)) {
      if (isNew || this.#changed.has(path)) await this.#quarantine(path, directory, 'git would run its content')
      return
    }
    for (const name of this.#now.names(path)) {
      await this.#turns.next()
      const hook = `${path}/${name}`
      if (name.endsWith('.sample') || !(isNew || this.#touched.has(hook))) continue
      await this.#quarantine(hook, directory, 'git would run it')
    }
  }

  /** Copies a file to the quarantine and refuses it. If it is unchanged, its directory must not become a repository. */
  async #quarantine(path: string, directory: string, why: string): Promise<void> {
    const isNamed = this.#notices.length < MOST_NOTICES
    const kept = isNamed ? await this.#copies.add(this.#now.place(path)) : null
    if (this.#touched.has(path)) this.#refused.add(path)
    else this.#disarm(directory)
    const to = kept === null ? '' : `; moved it to ${kept}`
    this.#notice(`did not keep ${shown(path)}: ${why}${to}`)
  }

  /** Reviews a `.git` file. It may point only to a worktree or submodule of a repository in the roots. */
  async #reviewDotGit(dotGit: string): Promise<void> {
    const leads = this.#now.gitDirectoryOf(dotGit)
    const common = leads === null || !this.#now.isDirectory(leads) ? null : this.#now.commonDirectoryOf(leads)
    if (leads !== null && common !== null && this.#isSafe(leads, common)) return
    await this.#quarantine(dotGit, dotGit, `it points git to ${leads === null ? 'an unknown directory' : shown(leads)}`)
  }

  #isSafe(directory: string, common: string): boolean {
    if (common !== directory && dirname(dirname(directory)) !== common) return false
    const isKnown = (one: string): boolean => this.#before.isGitDirectory(one) && /\/\.git(?:\/|$)/.test(`${one}/`)
    if (isKnown(common)) return true
    // Their own changes were refused already where they had to be.
    if (this.#now.names(`${common}/hooks`).some((name) => !name.endsWith('.sample'))) return false
    return [common, directory].every((one) =>
      CONFIGS.every((name) => !this.#now.isThere(`${one}/${name}`) || this.#isHarmless(`${one}/${name}`)),
    )
  }

  #isHarmless(path: string): boolean {
    const after = this.#now.text(path)
    return after !== null && revertSettings({ before: null, after, isModule: MODULE.test(path) }).text === after
  }
}

const MOST_SHOWN = 300
/** Escapes a name for display, because it can contain any character. */
function shown(path: string): string {
  const text = Buffer.from(path, 'latin1').toString('utf8')
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, MOST_SHOWN)
}

function reasonOf(objections: readonly Objection[]): string {
  const keys = (why: Objection['why']): string =>
    shown(objections.flatMap((one) => (one.why === why ? one.key : [])).join(', '))
  const parts = [
    keys('refused') && `${keys('refused')} could make git run or trust other files`,
    keys('redirects') && `${keys('redirects')} would redirect a later push or fetch`,
  ]
  return parts.filter((part) => part !== '').join('; ')
}
