import { realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { OVER_BROAD } from '../../core/decide/over-broad.js'
import { CordonError } from '../../core/model/errors.js'
import { isLoopbackHost } from '../../core/model/loopback.js'
import { hostsOf } from '../../core/model/network-sets.js'
import { isInside } from '../../core/model/path.js'
import type { Profile } from '../../core/model/profile.js'
import { addToSettings, type SettingsChange } from './add-to-settings.js'
import { userFile } from './layers.js'
import { type LoadProfilesOptions, loadProfiles } from './profiles.js'

/** What a person allows: hosts, a path to write, or a program with its first words. */
export interface Allowance {
  readonly what: 'host' | 'path' | 'program'
  readonly words: readonly string[]
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
    throw refuse(`${JSON.stringify(text)} is no host. Name one: example.com, example.com:8443 or *.example.com.`)
  if (/^\*\.[^.]*$/.test(name))
    throw refuse(`${JSON.stringify(text)} is a whole top-level domain. Name a host or a domain below it.`)
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw refuse(`${port} is no port.`)
  if (port === undefined && isLoopbackHost(name))
    throw refuse(
      `Inside, ${name} is the sandbox's own loopback and needs no entry. For a port of the host's, name it: ${name}:5432.`,
    )
  return host
}

/** A directory or file a person may open for writing: it exists, and is neither secret, protected, nor half of the machine. */
function checkedPath(text: string, { paths }: Profile, { workspace, home }: LoadProfilesOptions): string {
  const spelled = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text
  if (!isAbsolute(spelled))
    throw refuse(`${JSON.stringify(text)} is relative. Write the absolute path: ${resolve(workspace, text)}.`)
  if (/[*?[\]{}()!\0]/.test(spelled))
    throw refuse(`${JSON.stringify(text)} holds pattern characters. Name one file or directory.`)
  const real = realOf(spelled)
  const tooWide =
    real === '/' ||
    isInside(home, real) ||
    isInside(workspace, real) ||
    /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var)$/.test(real)
  if (tooWide) throw refuse(`${real} holds more than one command needs. Name a directory below it.`)
  if (paths.write && isInside(real, workspace))
    throw refuse(`${real} is in the workspace, which commands write already.`)
  const absolute = (place: string): string => (place.startsWith('~') ? home + place.slice(1) : place)
  const closed = [...paths.hidden, ...paths.protected]
    .map(absolute)
    .find((place) => place.startsWith('/') && isInside(real, place))
  if (closed !== undefined)
    throw refuse(
      `${real} is hidden or protected by the profile (${closed}). Approve single commands instead, or change \`paths\` by hand.`,
    )
  return isInside(real, home) ? `~${real.slice(home.length)}` : real
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw refuse(`There is no ${path}. Make it first.`)
  }
}

const WORD = /^[\w@%+.,:=/-]+$/

function checkedProgram([program = '', ...args]: readonly string[]): readonly string[] {
  const odd = [program, ...args].find((word) => !WORD.test(word))
  if (odd !== undefined)
    throw refuse(
      `${JSON.stringify(odd)} is no plain word. Name a program and the first words of its arguments: git push.`,
    )
  if (program.includes('/')) throw refuse('Name the program without its directory.')
  if (OVER_BROAD.has(program))
    throw refuse(`A rule for ${program} would allow whatever it runs. Allow the single command when Cordon asks.`)
  return [program, ...args]
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
    const places = words.map((word) => checkedPath(word, profile, options))
    return places
      .filter((place) => !profile.paths.writable.includes(place))
      .map((place) => ({ kind: 'entry', table: 'paths', key: 'writable', value: place }))
  }
  const [program = '', ...args] = checkedProgram(words)
  const isThere = profile.rules.some(
    (rule) => rule.verdict === 'allow' && rule.program?.join() === program && rule.args.join(' ') === args.join(' '),
  )
  return isThere ? [] : [{ kind: 'rule', program, args }]
}

/**
 * Writes the narrowest line that allows something into the user's settings, and returns it. Throws INVALID_ARGUMENTS for what cannot or
 * should not be allowed so, and SETTINGS_INVALID, with the settings as they were, where another file has the last word.
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
