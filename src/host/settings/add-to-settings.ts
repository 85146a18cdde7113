import { rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import { CordonError } from '../../core/model/basics/errors.js'
import { settingsSchema } from '../../core/model/policy/settings.js'
import { locate } from './locate.js'
import { parseSettings } from './parse-settings.js'
import { readSettingsFile } from './read-settings-file.js'
import { replaceSettings } from './save-rule.js'

/** One addition to a profile: a list entry or an allow rule. */
export type SettingsChange =
  | {
      readonly kind: 'entry'
      readonly table: 'network' | 'paths' | 'builtins' | 'programs'
      readonly key: 'hosts' | 'readable' | 'writable' | 'removed' | 'allow_only'
      readonly value: string
    }
  | { readonly kind: 'rule'; readonly program: string; readonly args: readonly string[] }

type Table = Record<string, unknown>
const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)
const inside = (value: unknown, key: string): unknown => (isTable(value) ? value[key] : undefined)

const nameOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
const appended = (text: string, lines: string): string =>
  `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${lines}\n`

/** Returns the index after the opening bracket of a list; -1 if there is none. */
function listAt(text: string, path: readonly string[]): number {
  const { line } = locate(text, path)
  const start =
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0)
  const found = /=\s*\[/.exec(text.slice(start))
  return found === null ? -1 : start + found.index + found[0].length
}

const headerOf = (profile: string, table: string): RegExp =>
  new RegExp(
    `^\\s*\\[\\s*profiles\\s*\\.\\s*"?${profile.replace(/[^\w-]/g, '\\$&')}"?\\s*\\.\\s*${table}\\s*\\][^\\n]*$`,
    'm',
  )

/** The ways to add an entry, the one that disturbs least first. Each gives the new text and the lines to show. */
function waysToAdd(
  text: string,
  profile: string,
  { table, key, value }: Extract<SettingsChange, { kind: 'entry' }>,
): readonly (readonly [string, string])[] {
  const path = ['profiles', profile, table, key]
  const quoted = JSON.stringify(value)
  const line = `${key} = ["...", ${quoted}]`
  const own = path.reduce<unknown>(inside, parse(text))
  const section = `[profiles.${nameOf(profile)}.${table}]\n${line}`
  if (Array.isArray(own)) {
    const at = listAt(text, path)
    const more = own.length === 0 ? quoted : `${quoted}, `
    return at < 0 ? [] : [[text.slice(0, at) + more + text.slice(at), `${key} = [${more}…]`]]
  }
  const header = headerOf(profile, table).exec(text)
  const below = header === null ? null : header.index + header[0].length
  return below === null
    ? [[appended(text, section), section]]
    : [[`${text.slice(0, below)}\n${line}${text.slice(below)}`, section]]
}

/** The settings as they are to be: everything as before, and the addition. */
function expected(before: unknown, profile: string, change: SettingsChange): unknown {
  const copy = structuredClone(isTable(before) ? before : {})
  const sub = (table: Table, key: string): Table => {
    const found = table[key]
    if (isTable(found)) return found
    const made: Table = {}
    table[key] = made
    return made
  }
  const own = sub(sub(copy, 'profiles'), profile)
  if (change.kind === 'rule') {
    own.rules = [...(Array.isArray(own.rules) ? own.rules : []), ruleOf(change)]
    return copy
  }
  const table = sub(own, change.table)
  const list = table[change.key]
  table[change.key] = Array.isArray(list) ? [change.value, ...list] : ['...', change.value]
  return copy
}

const ruleOf = ({ program, args }: Extract<SettingsChange, { kind: 'rule' }>): Table => ({
  program,
  args: [...args],
  verdict: 'allow',
  because: `A person allowed ${[program, ...args].join(' ')}.`,
})

function added(
  text: string,
  file: string,
  profile: string,
  change: SettingsChange,
): readonly [text: string, lines: string] {
  const rule = change.kind === 'rule' ? stringify({ profiles: { [profile]: { rules: [ruleOf(change)] } } }).trim() : ''
  const ways = change.kind === 'rule' ? [[appended(text, rule), rule] as const] : waysToAdd(text, profile, change)
  const wanted = expected(parse(text), profile, change)
  for (const [whole, lines] of ways) {
    try {
      if (isDeepStrictEqual(structuredClone(parse(whole)), structuredClone(wanted))) return [whole, lines]
    } catch {
      // This form of addition does not fit the file; try the next one.
    }
  }
  const byHand =
    change.kind === 'rule' ? rule : `${change.table}.${change.key} = ["...", ${JSON.stringify(change.value)}]`
  throw new CordonError(
    'SETTINGS_INVALID',
    `Cordon cannot add the line to ${file}. Add it to the profile "${profile}" by hand:\n${byHand}`,
    { file },
  )
}

/**
 * Adds to a profile in a settings file and returns the lines. Comments and all other lines stay. Calls `isAllowed` with
 * the new settings; if it fails or returns false, restores the file and throws SETTINGS_INVALID.
 */
export function addToSettings(
  file: string,
  profile: string,
  changes: readonly SettingsChange[],
  isAllowed: () => boolean,
): string {
  const before = readSettingsFile(file, 'user')
  let text = before ?? ''
  parseSettings(text, file, settingsSchema())
  const shown: string[] = []
  for (const change of changes) {
    const [whole, lines] = added(text, file, profile, change)
    text = whole
    shown.push(lines)
  }
  replaceSettings(file, text)
  const putBack = (): void => (before === null ? rmSync(file, { force: true }) : replaceSettings(file, before))
  try {
    if (isAllowed()) return shown.join('\n')
  } catch (error) {
    putBack()
    throw error
  }
  putBack()
  throw new CordonError(
    'SETTINGS_INVALID',
    `The settings of the system or the project forbid it in the profile "${profile}". No file was changed.`,
    { file },
  )
}
