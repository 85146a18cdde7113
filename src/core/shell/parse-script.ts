import { parse } from 'unbash'
import { type Border, checkGaps, problem } from './border.js'
import { unparsable } from './bounds.js'
import { convertStatements } from './convert-script.js'
import { plainStatements } from './plain-script.js'
import type { Problem, Script } from './tree.js'

/**
 * Reads a script as bash would, into a frozen tree. Never throws: where the text cannot be read, or the tree cannot be trusted to hold
 * everything bash would run, `problems` says why and where.
 */
export const parseScript = (text: string): Script => frozen(readScript(text))

/** The same, not frozen: for the analysis, which keeps the tree to itself. */
export function readScript(text: string): Script {
  const refusal = unparsable(text)
  if (refusal !== null) return { ...refused(text, refusal.reason), isTooMuch: refusal.isTooMuch }
  const statements = plainStatements(text)
  return statements === null ? parsedScript(text) : { text, statements, problems: NO_PROBLEMS }
}

const NO_PROBLEMS: readonly Problem[] = Object.freeze([])

/** By the parser, with every character accounted for. */
export function parsedScript(text: string): Script {
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

/** Freezes plain data all the way down. Nesting is bounded by what the parser is given. */
function frozen<T>(data: T): T {
  if (typeof data === 'object' && data !== null && !Object.isFrozen(data)) {
    Object.freeze(data)
    for (const value of Object.values(data)) frozen(value)
  }
  return data
}
