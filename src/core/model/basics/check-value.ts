import type * as z from 'zod'
import { CordonError } from './errors.js'
import { issueWords, knownKeys, unknownKeyWords, valueAt } from './issue-words.js'

/**
 * Returns a value as its schema has it. Throws INVALID_ARGUMENTS with a sentence for each thing that is wrong; `what`
 * names the value, as in `options.agent`.
 */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const sentences = parsed.error.issues.map((issue) => {
    const where = [what, ...issue.path.map(String)].join('.')
    if (issue.code !== 'unrecognized_keys') return `${where} ${issueWords(issue, valueAt(value, issue.path))}`
    const known = knownKeys(schema, issue.path)
    return issue.keys.map((key) => `${where}: unknown field ${key}. ${unknownKeyWords(key, known)}`).join(' ')
  })
  throw new CordonError('INVALID_ARGUMENTS', sentences.join('; '))
}
