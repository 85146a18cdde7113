import type * as U from 'unbash'
import { LIMITS } from '../model/limits.js'
import type { Span } from '../model/span.js'
import { type Border, checkGaps, problem } from './border.js'
import { convertNode } from './convert-command.js'
import type { Statement } from './tree.js'

/** The statements of a script nested in another, `from`–`to` in the text around it; escaped backticks have a text of their own. */
export function convertBody(
  border: Border,
  script: U.ParsedScript,
  from: number,
  to: number,
  at: Span,
): readonly Statement[] {
  if (++border.depth > LIMITS.nestingDepth) {
    problem(border, 'the script is nested too deeply', from, to)
    border.depth--
    return []
  }
  const own = script.source
  const inner: Border =
    own === undefined
      ? { ...border, claims: [] }
      : { text: own, fixed: at, problems: border.problems, claims: [], depth: border.depth }
  for (const error of script.errors ?? []) problem(inner, error.message, error.pos, error.pos + 1)
  const statements = convertStatements(inner, script.commands)
  checkGaps(inner, own === undefined ? from : 0, own === undefined ? to : own.length)
  border.depth--
  return statements
}

export const convertStatements = (border: Border, statements: readonly U.Statement[]): readonly Statement[] =>
  statements.map((statement) => ({
    node: convertNode(border, statement.command),
    background: statement.background === true,
  }))
