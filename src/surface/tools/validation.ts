import * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import { issueWords, kindOf, knownKeys, unknownKeyWords, valueAt } from '../../core/model/basics/issue-words.js'
import type { ParameterSchema } from './tool.js'

export type Validate = (args: unknown) => Readonly<Record<string, unknown>>

/**
 * A JSON Schema as a check that throws INVALID_ARGUMENTS with one sentence for each thing that is wrong. Fields the
 * schema does not name are errors, whether or not it says so: a misspelt `timeout` must not be dropped in silence.
 */
export function validator(parameters: ParameterSchema): Validate {
  if (parameters.type !== 'object')
    throw new CordonError('INVALID_ARGUMENTS', 'parameters must be a schema of type object')
  const schema = z.fromJSONSchema({ additionalProperties: false, ...parameters })
  return (args) => {
    const parsed = schema.safeParse(args)
    if (parsed.success) return args as Readonly<Record<string, unknown>>
    const sentences = parsed.error.issues.map((issue) => sentence(issue, args, knownKeys(schema, issue.path)))
    throw new CordonError('INVALID_ARGUMENTS', sentences.join('; '))
  }
}

function sentence(issue: z.core.$ZodIssue, args: unknown, known: readonly string[]): string {
  const name = pathName(issue.path)
  const value = valueAt(args, issue.path)
  const choices = issue.code === 'invalid_value' ? issue.values.map((v) => `'${String(v)}'`).join(' or ') : null
  if (issue.code === 'unrecognized_keys') return unknown(issue, known)
  if (issue.path.length === 0) return `The arguments must be an object, not ${kindOf(value)}`
  if (value === undefined) return `Missing required parameter: ${name}${choices ? ` (expected ${choices})` : ''}`
  if (choices) return `Invalid ${name} ${typeof value === 'string' ? `'${value}'` : kindOf(value)}: expected ${choices}`
  if (issue.code === 'invalid_type') return `Invalid ${name}: expected ${issue.expected}, not ${kindOf(value)}`
  return `Invalid ${name}: it ${issueWords(issue, value)}`
}

const unknown = ({ keys }: z.core.$ZodIssueUnrecognizedKeys, known: readonly string[]): string =>
  keys.map((key) => `Unknown parameter: ${key}. ${unknownKeyWords(key, known)}`).join(' ')

const pathName = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('')
