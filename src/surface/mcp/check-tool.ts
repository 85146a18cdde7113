import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CordonError } from '../../core/model/basics/errors.js'
import type { CheckResult } from '../../engine/api.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { failed, textResult } from './result-text.js'

export const CheckParameters = z.strictObject({
  command: z.string().describe('The bash script to look at. It is not run.'),
  cwd: z.string().optional().describe('Working directory, inside the workspace. Default: the workspace.'),
})

/** `check`: what a script would do and whether it may, before anybody runs it. */
export function check(
  engine: Pick<McpEngine, 'check'>,
  { agent, profile }: McpIdentity,
  { command, cwd }: z.infer<typeof CheckParameters>,
): CallToolResult {
  try {
    return textResult(sentences(engine.check(command, { caller: 'mcp', agent, profile, cwd })))
  } catch (thrown) {
    const isOurs = thrown instanceof CordonError
    return failed(isOurs ? thrown : new CordonError('INTERNAL', 'The check failed unexpectedly.'))
  }
}

const VERDICT = {
  allow: 'allow: this would be run.',
  ask: 'ask: this would be held until a person approves it.',
  deny: 'deny: this would be refused.',
} as const

function sentences({ verdict, because, facts, unenforceable }: CheckResult): string {
  return [
    VERDICT[verdict],
    ...(verdict === 'allow'
      ? []
      : because.map(({ rule, reason, instead }) => `- ${rule}: ${[reason, instead].filter(Boolean).join(' ')}`)),
    ...facts.opaque.filter(({ inherent }) => !inherent).map(({ kind, reason }) => `- ${kind}: ${reason}`),
    ...named('writes', facts.writes),
    ...named('deletes', facts.deletes),
    ...(unenforceable ? [`- ${unenforceable.message}`] : []),
  ].join('\n')
}

const MAX_PATHS = 5

function named(what: string, paths: readonly { readonly path: string }[]): readonly string[] {
  const distinct = [...new Set(paths.map(({ path }) => path))]
  if (distinct.length === 0) return []
  const more = distinct.length > MAX_PATHS ? ` and ${distinct.length - MAX_PATHS} more` : ''
  return [`${what}: ${distinct.slice(0, MAX_PATHS).join(', ')}${more}`]
}
