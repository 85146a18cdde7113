import { parse, TomlError } from 'smol-toml'
import type * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import type { ProfileSettings } from '../../core/model/policy/profile-settings.js'
import { locate } from './locate.js'
import { nearest } from './nearest.js'

type Path = readonly (string | number)[]

/** SETTINGS_INVALID with the file, the line, the column and the fix. */
export function settingsError(file: string, text: string, path: Path, what: string): CordonError {
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

/** Returns the known keys at a path, read from the schema. */
function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = schema
  const inner = (value: unknown): unknown => {
    let type = value
    while (typeof type === 'object' && type !== null && 'unwrap' in type && typeof type.unwrap === 'function')
      type = type.unwrap()
    return type
  }
  for (const key of path) {
    const type = inner(at)
    if (typeof type !== 'object' || type === null) return []
    if ('shape' in type) at = (type.shape as Record<string, unknown>)[String(key)]
    else if ('valueType' in type) at = type.valueType
    else if ('element' in type) at = type.element
    else return []
  }
  const type = inner(at)
  return typeof type === 'object' && type !== null && 'shape' in type ? Object.keys(type.shape as object) : []
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType): { readonly path: Path; readonly what: string } {
  const path = issue.path.filter((key): key is string | number => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const known = knownKeys(schema, path)
    const meant = nearest(key, known)
    const hint = meant === null ? `The keys here are ${known.join(', ')}.` : `Did you mean \`${meant}\`?`
    return { path: [...path, key], what: `unknown key \`${printable([...path, key])}\`. ${hint}` }
  }
  if (issue.code === 'invalid_key')
    return { path, what: `the name \`${path.at(-1)}\` ${issue.issues[0]?.message ?? 'is not valid'}.` }
  if (issue.code === 'invalid_value')
    return { path, what: `\`${printable(path)}\` must be one of ${issue.values.map(String).join(', ')}.` }
  return { path, what: `\`${printable(path)}\`: ${issue.message.replace(/^Invalid input: /, '')}.` }
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
  const { path, what } = explain(issue, schema)
  throw settingsError(file, text, path, what)
}

/** Parses a built-in profile. Tests check its schema; at every start that would take longer than the rest. */
export const parseShipped = (text: string, file: string): ProfileSettings => toToml(text, file) as ProfileSettings
