import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { stringify } from 'smol-toml'
import { CordonError } from '../../core/model/basics/errors.js'
import type { Rule } from '../../core/model/policy/profile.js'
import { settingsSchema } from '../../core/model/policy/settings.js'
import { type SettingsPlaces, userFile } from './layers.js'
import { parseSettings } from './parse-settings.js'
import { readSettingsFile } from './read-settings-file.js'

type Written = Readonly<Record<string, string | string[]>>

const written = ({ action, verdict, because, hits, misses }: Rule, id: string): Written => ({
  id,
  action: action ?? '',
  verdict,
  because,
  hits: [...hits],
  misses: [...misses],
})

/** Returns the target of a symlinked settings file, so that the symlink stays. */
function realFile(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

const modeOf = (file: string): number => {
  try {
    return statSync(file).mode & 0o777
  } catch {
    return 0o600
  }
}

/** Writes a settings file whole or not at all: a crash in the middle leaves the old settings. A link stays a link. */
export function replaceSettings(path: string, text: string): void {
  const file = realFile(path)
  const scratch = `${file}.${process.pid}.new`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(scratch, text, { flag: 'wx', mode: 0o600 })
    chmodSync(scratch, modeOf(file))
    renameSync(scratch, file)
  } catch (error) {
    rmSync(scratch, { force: true })
    throw error
  }
}

/**
 * Adds a rule to a profile in the user's settings and returns the file. All other lines and comments stay. If the file
 * allows no addition, throws SETTINGS_INVALID with the lines to add by hand. An existing rule is not added again.
 */
export function saveRule(places: SettingsPlaces, rule: Rule, profile: string): string {
  const file = userFile(places)
  const text = readSettingsFile(file, 'user') ?? ''
  const settings = parseSettings(text, file, settingsSchema())
  const rules = new Map(Object.entries(settings.profiles ?? {})).get(profile)?.rules ?? []
  if (rules.some(({ action, verdict }) => action === rule.action && verdict === rule.verdict)) return file
  const ids = new Set(rules.map(({ id }) => id))
  let number = rules.length + 1
  while (ids.has(`always/${number}`)) number++
  const added = stringify({ profiles: { [profile]: { rules: [written(rule, `always/${number}`)] } } })
  const whole = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${added.trim()}\n`
  try {
    parseSettings(whole, file, settingsSchema())
  } catch {
    throw new CordonError(
      'SETTINGS_INVALID',
      `Cordon cannot add the rule to ${file}, because the rules of "${profile}" are one list there. Add it by hand:\n${added}`,
      { file },
    )
  }
  replaceSettings(file, whole)
  return file
}
