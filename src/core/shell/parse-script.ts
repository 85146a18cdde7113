import { parse } from 'unbash'
import { unparsable } from './bounds.js'
import { addParseError, type ConversionContext, checkGaps } from './conversion-context.js'
import { convertStatements } from './convert-script.js'
import type { Script } from './tree.js'

/** Parses a script as bash would, into plain data. Never throws. `parseErrors` lists text that the tree may lack. */
export function parseScript(text: string): Script {
  const refusal = unparsable(text)
  if (refusal !== null) return { ...refused(text, refusal.reason), isTooLarge: refusal.isTooLarge }
  const context: ConversionContext = { text, fixed: null, parseErrors: [], covered: [], depth: 0 }
  try {
    const parsed = parse(text)
    for (const error of parsed.errors ?? []) addParseError(context, error.message, error.pos, error.pos + 1)
    const statements = convertStatements(context, parsed.commands)
    checkGaps(context, parsed.shebang === undefined ? 0 : parsed.shebang.length, text.length)
    return { text, statements, parseErrors: context.parseErrors }
  } catch (error) {
    return refused(text, error instanceof Error ? error.message : 'the parser failed')
  }
}

const refused = (text: string, reason: string): Script => ({
  text,
  statements: [],
  parseErrors: [{ reason, span: [0, text.length] }],
})
