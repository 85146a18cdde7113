import { join } from 'node:path'
import type { PermissionSettings, ProfileSettings } from '../../core/model/profile-settings.js'
import { type AgentSettings, settingsSchema } from '../../core/model/settings.js'
import { parseSettings } from './parse-settings.js'
import { type Level, readSettingsFile } from './read-settings-file.js'

/** One settings file, its user-named keys in maps: a profile named `constructor` is a name. */
export interface Layer {
  readonly level: Level
  readonly file: string
  readonly text: string
  readonly profile: string | null
  readonly allowedProfiles: readonly string[] | null
  readonly permissions: PermissionSettings
  readonly profiles: ReadonlyMap<string, ProfileSettings>
  readonly agents: ReadonlyMap<string, AgentSettings>
}

export interface SettingsPlaces {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: `/etc/cordon/cordon.toml`. */
  readonly systemFile?: string | undefined
  /** Who must own the system file. Default: root. */
  readonly systemOwner?: number | undefined
}

/** Words for a message that refuses a layer which loosens what binds it. */
export interface Binding {
  readonly rule: string
  readonly fix: string
}

/**
 * How a layer is bound to those before it; null when it is free. A project's file can only tighten; a user's file too, where the
 * administrator has a system file.
 */
export function bindingOf(layer: Layer, layers: readonly Layer[]): Binding | null {
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
  const settings = parseSettings(text, file, settingsSchema())
  return {
    level,
    file,
    text,
    profile: settings.profile ?? null,
    allowedProfiles: settings.allowed_profiles ?? null,
    permissions: settings.permissions ?? {},
    profiles: new Map(Object.entries(settings.profiles ?? {})),
    agents: new Map(Object.entries(settings.agents ?? {})),
  }
}

const userDirectory = ({ home, env }: SettingsPlaces): string => {
  const named = env.XDG_CONFIG_HOME
  // The XDG specification: a relative path is invalid and to be ignored.
  return named?.startsWith('/') ? named : join(home, '.config')
}

/** Where the user's own settings are, whether or not there are any. */
export const userFile = (places: SettingsPlaces): string => join(userDirectory(places), 'cordon', 'cordon.toml')

/** The settings files there are, from the one that binds most to the one that binds least. */
export function loadLayers(places: SettingsPlaces): readonly Layer[] {
  return [
    load(places.systemFile ?? '/etc/cordon/cordon.toml', 'system', places.systemOwner),
    load(userFile(places), 'user'),
    load(join(places.workspace, 'cordon.toml'), 'project'),
  ].filter((layer) => layer !== null)
}
