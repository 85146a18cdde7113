import { join } from 'node:path'
import type { PermissionSettings, ProfileSettings } from '../../core/model/policy/profile-settings.js'
import {
  type AgentSettings,
  type AuditSettings,
  type Settings,
  settingsSchema,
} from '../../core/model/policy/settings.js'
import { parseSettings } from './parse-settings.js'
import { type Level, readSettingsFile } from './read-settings-file.js'

/** One settings file, with user-named keys in maps, so that a profile may be named `constructor`. */
export interface Layer {
  readonly level: Level | 'code'
  readonly file: string
  readonly text: string
  readonly profile: string | null
  readonly allowedProfiles: readonly string[] | null
  readonly permissions: PermissionSettings
  readonly audit: AuditSettings | null
  readonly profiles: ReadonlyMap<string, ProfileSettings>
  readonly agents: ReadonlyMap<string, AgentSettings>
}

/** Settings that the program itself gives. */
export interface CodeSettings {
  /** In place of the files of the user and of the project. */
  readonly settings?: Settings | undefined
  /** A profile without a name of its own. */
  readonly profile?: ProfileSettings | undefined
}

/** The name that a profile given as an object has in decisions and in the audit log. */
export const INLINE = 'inline'
/** Stands for a file in messages about settings given in code. */
const CODE_FILE = 'createCordon'

export interface SettingsPlaces {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: `/etc/cordon/cordon.toml`. */
  readonly systemFile?: string | undefined
  /** Required owner of the system file. Default: root. */
  readonly systemOwner?: number | undefined
  readonly code?: CodeSettings | undefined
}

/** Words for a message that refuses a layer which loosens what binds it. */
export interface Binding {
  readonly rule: string
  readonly fix: string
}

/**
 * Returns how earlier layers bind a layer; null if they do not. A project file can only tighten, and so can a user file
 * if there is a system file.
 */
export function bindingOf(layer: Layer, layers: readonly Layer[]): Binding | null {
  if (layer.level === 'code') {
    const binds = layers.find(({ level, allowedProfiles }) => level === 'system' || allowedProfiles !== null)
    if (binds === undefined || binds === layer) return null
    return { rule: `${binds.file} binds this program, which can only tighten`, fix: 'Remove it, or change that file.' }
  }
  if (layer.level === 'project')
    return { rule: 'a project can only tighten', fix: 'Remove it, or set it in your own settings.' }
  const system = layer.level === 'user' ? layers.find(({ level }) => level === 'system') : undefined
  if (system === undefined) return null
  return {
    rule: `${system.file} binds your settings, which can only tighten`,
    fix: 'Remove it, or ask the administrator to set it there.',
  }
}

function load(file: string, level: Level, owner?: number): Layer | null {
  const text = readSettingsFile(file, level, owner)
  if (text === null) return null
  return layerOf(parseSettings(text, file, settingsSchema()), { level, file, text })
}

function layerOf(settings: Settings, origin: Pick<Layer, 'level' | 'file' | 'text'>): Layer {
  return {
    ...origin,
    profile: settings.profile ?? null,
    allowedProfiles: settings.allowed_profiles ?? null,
    permissions: settings.permissions ?? {},
    audit: settings.audit ?? null,
    profiles: new Map(Object.entries(settings.profiles ?? {})),
    agents: new Map(Object.entries(settings.agents ?? {})),
  }
}

const userDirectory = ({ home, env }: SettingsPlaces): string => {
  const named = env.XDG_CONFIG_HOME
  // The XDG specification: a relative path is invalid and to be ignored.
  return named?.startsWith('/') ? named : join(home, '.config')
}

/** Returns the path of the user's settings, even if it does not exist. */
export const userFile = (places: SettingsPlaces): string => join(userDirectory(places), 'cordon', 'cordon.toml')

/** The settings files there are, from the one that binds most to the one that binds least. */
export function loadLayers(places: SettingsPlaces): readonly Layer[] {
  return [
    load(places.systemFile ?? '/etc/cordon/cordon.toml', 'system', places.systemOwner),
    ...(places.code?.settings === undefined
      ? [load(userFile(places), 'user'), load(join(places.workspace, 'cordon.toml'), 'project')]
      : []),
    codeLayer(places.code),
  ].filter((layer) => layer !== null)
}

function codeLayer({ settings, profile }: CodeSettings = {}): Layer | null {
  if (settings === undefined && profile === undefined) return null
  const inline =
    profile === undefined ? {} : { profile: INLINE, profiles: { ...settings?.profiles, [INLINE]: profile } }
  return layerOf({ ...settings, ...inline }, { level: 'code', file: CODE_FILE, text: '' })
}

/** Returns the audit sink settings of the system file, or else of the user file. Null if neither has any. */
export const auditSettingsOf = (places: SettingsPlaces): AuditSettings | null =>
  loadLayers(places).find(({ level, audit }) => level !== 'project' && audit !== null)?.audit ?? null
