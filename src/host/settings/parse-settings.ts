import { parse, TomlError } from 'smol-toml'
import type * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import { issueWords, knownKeys, unknownKeyWords, valueAt } from '../../core/model/basics/issue-words.js'
import type { ProfileSettings } from '../../core/model/policy/profile-settings.js'
import { locate } from './locate.js'

type Path = readonly (string | number)[]

/** SETTINGS_INVALID with the file, the line, the column and the fix. Settings given in code have no text. */
export function settingsError(file: string, text: string, path: Path, what: string): CordonError {
  if (text === '') return new CordonError('SETTINGS_INVALID', `${[file, ...path].join('.')}: ${what}`, { file, path })
  const { line, column } = locate(text, path)
  return new CordonError('SETTINGS_INVALID', `${file}:${line}:${column}: ${what}`, { file, line, column, path })
}

function toToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '')
    throw new CordonError(
      'SETTINGS_INVALID',
      `${file}:${error.line}:${error.column}: not valid TOML: ${what}. Correct it.`,
      {
        file,
        line: error.line,
        column: error.column,
      },
    )
  }
}

const printable = (path: Path): string => path.join('.') || 'the file'

function explain(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
): { readonly path: Path; readonly what: string } {
  const path = issue.path.filter((key): key is string | number => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const hint = unknownKeyWords(key, knownKeys(schema, path))
    return { path: [...path, key], what: `unknown key \`${printable([...path, key])}\`. ${hint}` }
  }
  if (issue.code === 'invalid_key')
    return { path, what: `the name \`${path.at(-1)}\` ${issue.issues[0]?.message ?? 'is not valid'}.` }
  if (issue.code === 'invalid_value')
    return { path, what: `\`${printable(path)}\` must be one of ${issue.values.map(String).join(', ')}.` }
  return { path, what: `\`${printable(path)}\`: ${issueWords(issue, valueAt(value, issue.path))}.` }
}

/** Refuses the key `__proto__`, which much code treats as the prototype. */
function refusePrototype(value: unknown, path: Path, file: string, text: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__')
      throw settingsError(file, text, [...path, key], 'the name `__proto__` cannot be used. Choose another.')
    refusePrototype(inner, [...path, key], file, text)
  }
}

/** A settings file as its schema has it. Throws SETTINGS_INVALID at the first thing that is wrong. */
export function parseSettings<T>(text: string, file: string, schema: z.ZodType<T>): T {
  const raw = toToml(text.replace(/^\uFEFF/, ''), file)
  refusePrototype(raw, [], file, text)
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (!issue) throw settingsError(file, text, [], 'not valid.')
  const { path, what } = explain(issue, schema, raw)
  throw settingsError(file, text, path, what)
}

/** Parses a built-in profile. Tests check its schema; at every start that would take longer than the rest. */
export const parseShipped = (text: string, file: string): ProfileSettings => toToml(text, file) as ProfileSettings
