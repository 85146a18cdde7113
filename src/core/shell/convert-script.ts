import type * as U from 'unbash'
import { LIMITS } from '../model/basics/limits.js'
import type { Span } from '../model/basics/span.js'
import { addParseError, type ConversionContext, checkGaps } from './conversion-context.js'
import { convertNode } from './convert-command.js'
import type { Statement } from './tree.js'

/** Converts a nested script, `from`–`to` in the outer text. Escaped backticks have a separate text. */
export function convertBody(
  context: ConversionContext,
  script: U.ParsedScript,
  from: number,
  to: number,
  at: Span,
): readonly Statement[] {
  if (++context.depth > LIMITS.nestingDepth) {
    addParseError(context, 'the script is nested too deeply', from, to)
    context.depth--
    return []
  }
  const own = script.source
  const inner: ConversionContext =
    own === undefined
      ? { ...context, covered: [] }
      : { text: own, fixed: at, parseErrors: context.parseErrors, covered: [], depth: context.depth }
  for (const error of script.errors ?? []) addParseError(inner, error.message, error.pos, error.pos + 1)
  const statements = convertStatements(inner, script.commands)
  checkGaps(inner, own === undefined ? from : 0, own === undefined ? to : own.length)
  context.depth--
  return statements
}

export const convertStatements = (
  context: ConversionContext,
  statements: readonly U.Statement[],
): readonly Statement[] =>
  statements.map((statement) => ({
    node: convertNode(context, statement.command),
    background: statement.background === true,
  }))
