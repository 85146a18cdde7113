import type { Setting } from './config-syntax.js'
import { isFree, isPlainAddress } from './setting-table.js'

/** A change of a setting that a command must not make by itself. */
export interface Objection {
  readonly key: string
  /** `redirects`: changes the address of a later push or fetch. `refused`: makes git run, read or trust something. */
  readonly why: 'redirects' | 'refused'
}

/** The two versions of a configuration to compare. */
export interface Comparing {
  /** Null if there was no repository. */
  readonly before: readonly Setting[] | null
  readonly after: readonly Setting[]
  /** Set for the repository of a submodule, whose configuration names its work tree. */
  readonly isModule?: boolean
}

type Values = ReadonlyMap<string, readonly (string | null)[]>

function valuesOf(settings: readonly Setting[]): Values {
  const values = new Map<string, (string | null)[]>()
  for (const { key, value } of settings) values.set(key, [...(values.get(key) ?? []), value])
  return values
}

const same = (a: readonly (string | null)[] = [], b: readonly (string | null)[] = []): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

const REMOTE = /^remote\.(.+)\.([^.]+)$/s
const BRANCH_REMOTE = /^branch\..+\.remote$/s
/** Keys that redirect with any value: `remotes.origin` names others instead of the remote, `fetch.all` adds them. */
export const REDIRECTS =
  /^(?:push\.default|fetch\.all|checkout\.defaultremote|remotes\..+|remote\.pushdefault|remote\..+\.(?:pushurl|push)|branch\..+\.pushremote)$/s
/** Keys of a remote that run a program on fetch, or make the repository fetch objects on demand. */
const UNSAFE_REMOTE = /^(?:promisor|partialclonefilter|uploadpack|receivepack|vcs|proxy|proxyauthmethod)$/

/** Tells whether a refspec writes only to remote-tracking names. */
export const isTracking = (refspec: string | null): boolean =>
  /^(?:\^|\+?[^:]*:refs\/(?:remotes|tags|pull|notes)\/)/.test(refspec ?? '')

class Comparison {
  readonly #old: Values
  readonly #new: Values
  readonly #isNewRepository: boolean
  readonly #isModule: boolean

  constructor({ before, after, isModule = false }: Comparing) {
    this.#old = valuesOf(before ?? [])
    this.#new = valuesOf(after)
    this.#isNewRepository = before === null
    this.#isModule = isModule
  }

  objections(): readonly Objection[] {
    const keys = [...new Set([...this.#old.keys(), ...this.#new.keys()])]
    return keys.flatMap((key) => {
      const [was, is] = [this.#old.get(key), this.#new.get(key)]
      const why = same(was, is) ? null : this.#judge(key, was ?? [], is ?? [])
      return why === null ? [] : [{ key, why }]
    })
  }

  #judge(key: string, was: readonly (string | null)[], is: readonly (string | null)[]): Objection['why'] | null {
    const values = is.length === 0 ? was : is
    if (values.every((value) => isFree(key, value))) return null
    if (REDIRECTS.test(key)) return 'redirects'
    if (BRANCH_REMOTE.test(key)) return this.#branch(was, is)
    const [, remote, name] = REMOTE.exec(key) ?? []
    if (remote !== undefined && name !== undefined) return this.#remote(remote, name, is)
    if (/^submodule\..+\.url$/s.test(key)) {
      if (was.length > 0 && is.length > 0) return 'redirects'
      return is.every((value) => value !== null && isPlainAddress(value)) ? null : 'refused'
    }
    return this.#isModule && key === 'core.worktree' && is.length <= 1 ? null : 'refused'
  }

  #hasRemote(values: Values, remote: string): boolean {
    return [...values.keys()].some((key) => REMOTE.exec(key)?.[1] === remote)
  }

  #remote(remote: string, name: string, is: readonly (string | null)[]): Objection['why'] | null {
    if (UNSAFE_REMOTE.test(name)) return 'refused'
    const isOld = this.#hasRemote(this.#old, remote)
    if (name === 'fetch') return this.#isNewRepository || is.every(isTracking) ? null : 'redirects'
    if (name === 'mirror') return this.#isNewRepository ? null : 'redirects'
    if (name !== 'url') return 'refused'
    if (isOld) return 'redirects'
    const asks = (this.#new.get('extensions.partialclone') ?? []).includes(remote)
    return !asks && is.every((url) => url !== null && isPlainAddress(url)) ? null : 'refused'
  }

  /** Checks a branch. It can follow an earlier remote, or the first remote of a repository. */
  #branch(was: readonly (string | null)[], is: readonly (string | null)[]): Objection['why'] | null {
    const [now] = is
    if (is.length === 0) return null
    if (is.length > 1 || now === null || now === undefined) return 'redirects'
    if (now === '.') return null
    if (was.length > 0 || !this.#hasRemote(this.#new, now)) return 'redirects'
    const hadRemotes = [...this.#old.keys()].some((key) => REMOTE.test(key))
    return this.#hasRemote(this.#old, now) || !hadRemotes ? null : 'redirects'
  }
}

/** Compares two versions of a configuration. Returns the changes that a command must not make, one per key. */
export const compareSettings = (comparing: Comparing): readonly Objection[] => new Comparison(comparing).objections()
