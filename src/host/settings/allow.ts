import { realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { REMOVABLE } from '../../core/decide/denials/index.js'
import { globMatches } from '../../core/decide/match/glob.js'
import { OVER_BROAD } from '../../core/decide/match/over-broad.js'
import { CordonError } from '../../core/model/basics/errors.js'
import { isLoopbackHost } from '../../core/model/basics/loopback.js'
import { isInside } from '../../core/model/basics/path.js'
import { hostsOf } from '../../core/model/policy/network-sets.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { addToSettings, type SettingsChange } from './add-to-settings.js'
import { userFile } from './layers.js'
import { type LoadProfilesOptions, loadProfiles } from './profiles.js'

/** A permission by a person: hosts, paths, built-in rules, or a program with its first words. */
export interface Allowance {
  readonly what: 'host' | 'path' | 'program' | 'rule'
  readonly words: readonly string[]
  /** Allows reading a path, not writing it. */
  readonly read?: boolean
  /** Default: the profile of requests that name none. */
  readonly profile: string | undefined
}

/** The lines that were written, and where. `lines` is null where the profile allows it already. */
export interface Allowed {
  readonly profile: string
  readonly file: string
  readonly lines: string | null
}

const refuse = (what: string): CordonError => new CordonError('INVALID_ARGUMENTS', what)

const HOST =
  /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$|^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*$/

function checkedHost(text: string): string {
  const host = text.toLowerCase()
  const [, name = host, port] = /^([^:]*|\[.*\]):(\d+)$/.exec(host) ?? []
  if (!HOST.test(host) || (/:/.test(name) && isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0))
    throw refuse(
      `${JSON.stringify(text)} is not a host. Use a name such as example.com, example.com:8443 or *.example.com.`,
    )
  if (/^\*\.[^.]*$/.test(name))
    throw refuse(`${JSON.stringify(text)} is a top-level domain. Use a host or a domain below it.`)
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw refuse(`${port} is not a port. Use a number from 1 to 65535.`)
  if (port === undefined && isLoopbackHost(name))
    throw refuse(
      `In the sandbox, ${name} is its own loopback and needs no entry. For a port of the host, add the port: ${name}:5432.`,
    )
  return host
}

/**
 * Returns the real path of an existing file or directory that a person may open. Refuses hidden and protected paths for
 * writing, and broad directories.
 */
function checkedPath(
  text: string,
  { paths }: Profile,
  { workspace, home, env }: LoadProfilesOptions,
  key: 'readable' | 'writable',
): string {
  const isRead = key === 'readable'
  const spelled = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text
  if (!isAbsolute(spelled))
    throw refuse(`${JSON.stringify(text)} is relative. Use the absolute path: ${resolve(workspace, text)}.`)
  if (/[*?[\]{}()!\0]/.test(spelled))
    throw refuse(`${JSON.stringify(text)} contains pattern characters. Use the path of one file or directory.`)
  const real = realOf(spelled)
  const tooWide =
    real === '/' ||
    isInside(home, real) ||
    isInside(workspace, real) ||
    /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var)$/.test(real)
  if (tooWide) throw refuse(`${real} is too broad. Use a directory below it.`)
  const own = join(env.XDG_STATE_HOME || join(home, '.local/state'), 'cordon')
  if (isInside(real, own)) throw refuse(`${real} belongs to Cordon's own records, which no setting opens.`)
  const isOpen = isInside(real, workspace) && (isRead || paths.write)
  const absolute = (place: string): string => (place.startsWith('~') ? home + place.slice(1) : place)
  const isAt = (place: string): boolean =>
    /^[~/]/.test(place) ? isInside(real, absolute(place)) : paths.hidden.includes(place) && isNamedLike(real, place)
  const closed = [...paths.hidden, ...(isRead ? [] : paths.protected)].find(isAt)
  if (closed !== undefined && !isRead)
    throw refuse(
      `${real} is hidden or protected by the profile (${closed}). Approve single commands instead, or change \`paths\` by hand.`,
    )
  if (isOpen && closed === undefined)
    throw refuse(`${real} is in the workspace, which commands can ${isRead ? 'read' : 'write'} already.`)
  return isInside(real, home) ? `~${real.slice(home.length)}` : real
}

/** `.env` hides by name, wherever it is, and so does `**\/.env`. */
function isNamedLike(real: string, place: string): boolean {
  const pattern = place.replace(/^\*\*\//, '')
  const depth = pattern.split('/').length
  const names = real.split('/').slice(1)
  return names.some((_, i) => globMatches(pattern, names.slice(i, i + depth).join('/')))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw refuse(`${path} does not exist. Create it first.`)
  }
}

const WORD = /^[\w@%+.,:=/-]+$/

function checkedProgram([program = '', ...args]: readonly string[]): readonly string[] {
  const odd = [program, ...args].find((word) => !WORD.test(word))
  if (odd !== undefined)
    throw refuse(`${JSON.stringify(odd)} is not a plain word. Use a program and its first arguments: git push.`)
  if (program.includes('/')) throw refuse('Use the program name without its directory.')
  if (OVER_BROAD.has(program))
    throw refuse(
      `A rule for ${program} would allow every command it runs. Approve the single command when Cordon asks.`,
    )
  return [program, ...args]
}

/** Returns the name of a built-in rule that a profile can remove: `sudo`, or `builtin/sudo` as refusals spell it. */
function checkedRule(text: string): string {
  const name = text.replace(/^(?:builtin|effect|environment|path)\//, '')
  if (REMOVABLE.has(name)) return name
  throw refuse(`There is no built-in rule ${JSON.stringify(text)}. Refusals show its name behind \`rule\`.`)
}

function changesFor(allowance: Allowance, profile: Profile, options: LoadProfilesOptions): readonly SettingsChange[] {
  const { what, words } = allowance
  if (what === 'host') {
    if (profile.network === 'full') return []
    const known = new Set(hostsOf(profile.network))
    const hosts = words.map(checkedHost).filter((host) => !known.has(host))
    return hosts.map((host) => ({ kind: 'entry', table: 'network', key: 'hosts', value: host }))
  }
  if (what === 'path') {
    const key = allowance.read === true ? 'readable' : 'writable'
    const places = words.map((word) => checkedPath(word, profile, options, key))
    return places
      .filter((place) => !profile.paths[key].includes(place))
      .map((place) => ({ kind: 'entry', table: 'paths', key, value: place }))
  }
  if (what === 'rule') {
    const names = words.map(checkedRule).filter((name) => !profile.builtins.removed.includes(name))
    return names.map((name) => ({ kind: 'entry', table: 'builtins', key: 'removed', value: name }))
  }
  const [program = '', ...args] = checkedProgram(words)
  const { allowOnly } = profile.programs
  if (allowOnly !== null && args.length === 0)
    return allowOnly.includes(program) ? [] : [{ kind: 'entry', table: 'programs', key: 'allow_only', value: program }]
  const isThere = profile.rules.some(
    (rule) => rule.verdict === 'allow' && rule.program?.join() === program && rule.args.join(' ') === args.join(' '),
  )
  return isThere ? [] : [{ kind: 'rule', program, args }]
}

/**
 * Writes the narrowest line that allows something to the user's settings, and returns it. Throws INVALID_ARGUMENTS if
 * it cannot or must not be allowed, and SETTINGS_INVALID, with the settings unchanged, if another file overrides it.
 */
export function allowInSettings(allowance: Allowance, options: LoadProfilesOptions): Allowed {
  const before = loadProfiles(options).profileFor(null, allowance.profile ?? null)
  const file = userFile(options)
  const changes = changesFor(allowance, before, options)
  if (changes.length === 0) return { profile: before.name, file, lines: null }
  const isAllowed = (): boolean => {
    const after = loadProfiles(options).profileFor(null, before.name)
    return changesFor(allowance, after, options).length === 0
  }
  return { profile: before.name, file, lines: addToSettings(file, before.name, changes, isAllowed) }
}
