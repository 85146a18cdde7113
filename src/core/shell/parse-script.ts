import { parse } from 'unbash'
import { type Border, checkGaps, problem } from './border.js'
import { unparsable } from './bounds.js'
import { convertStatements } from './convert-script.js'
import type { Script } from './tree.js'

/**
 * Reads a script as bash would. Never throws: where the text cannot be read, or the tree cannot be trusted to hold everything bash
 * would run, `problems` says why and where.
 */
export function parseScript(text: string): Script {
  const refusal = unparsable(text)
  if (refusal !== null) return refused(text, refusal)
  const border: Border = { text, fixed: null, problems: [], claims: [], depth: 0 }
  try {
    const parsed = parse(text)
    for (const error of parsed.errors ?? []) problem(border, error.message, error.pos, error.pos + 1)
    const statements = convertStatements(border, parsed.commands)
    checkGaps(border, parsed.shebang === undefined ? 0 : parsed.shebang.length, text.length)
    return Object.freeze({ text, statements, problems: Object.freeze(border.problems) })
  } catch (error) {
    return refused(text, error instanceof Error ? error.message : 'the parser gave up')
  }
}

const refused = (text: string, reason: string): Script =>
  Object.freeze({ text, statements: [], problems: [Object.freeze({ reason, span: [0, text.length] as const })] })
