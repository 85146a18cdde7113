import { parse } from 'unbash'
import { type Border, checkGaps, problem } from './border.js'
import { unparsable } from './bounds.js'
import { convertStatements } from './convert-script.js'
import type { Script } from './tree.js'

/**
 * Parses a script as bash would, into plain data. Never throws: where the text cannot be parsed, or the tree may lack something that
 * bash would run, `problems` says why and where.
 */
export function parseScript(text: string): Script {
  const refusal = unparsable(text)
  if (refusal !== null) return { ...refused(text, refusal.reason), isTooMuch: refusal.isTooMuch }
  const border: Border = { text, fixed: null, problems: [], claims: [], depth: 0 }
  try {
    const parsed = parse(text)
    for (const error of parsed.errors ?? []) problem(border, error.message, error.pos, error.pos + 1)
    const statements = convertStatements(border, parsed.commands)
    checkGaps(border, parsed.shebang === undefined ? 0 : parsed.shebang.length, text.length)
    return { text, statements, problems: border.problems }
  } catch (error) {
    return refused(text, error instanceof Error ? error.message : 'the parser gave up')
  }
}

const refused = (text: string, reason: string): Script => ({
  text,
  statements: [],
  problems: [{ reason, span: [0, text.length] }],
})
