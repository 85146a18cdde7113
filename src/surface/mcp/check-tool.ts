import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CordonError } from '../../core/model/errors.js'
import type { Plan } from '../../core/model/plan.js'
import { toSnakeCase } from '../../core/present/snake-case.js'
import { errorToWire } from '../../core/present/wire.js'
import type { CheckResult } from '../../engine/api.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'

export const CheckParameters = z.strictObject({
  command: z.string().describe('The bash script to look at. It is not run.'),
  cwd: z.string().optional().describe('Working directory, inside the workspace. Default: the workspace.'),
})

/** `check`: what a script would do and whether it may, before anybody runs it. */
export function check(
  engine: McpEngine,
  { agent, profile }: McpIdentity,
  { command, cwd }: z.infer<typeof CheckParameters>,
): CallToolResult {
  try {
    const checked = engine.check(command, { caller: 'mcp', agent, profile, cwd })
    return { content: [{ type: 'text', text: sentences(checked) }], structuredContent: toSnakeCase(wire(checked)) }
  } catch (thrown) {
    const error = thrown instanceof CordonError ? thrown : new CordonError('INTERNAL', 'The check failed unexpectedly.')
    return {
      isError: true,
      content: [{ type: 'text', text: error.message }],
      structuredContent: { ...errorToWire(error) },
    }
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
    ...(unenforceable ? [`- ${unenforceable.message}`] : []),
  ].join('\n')
}

const wire = ({ verdict, because, facts, plan }: CheckResult): Record<string, unknown> => ({
  verdict,
  because,
  facts,
  plan: plan && planInShort(plan),
})

/** Without variables and mounts: what a profile sets for the command is not for the model to read. */
const planInShort = ({ digest, cwd, profile, sandbox, timeoutMs, transaction }: Plan) => ({
  digest,
  cwd,
  profile,
  sandbox: sandbox.kind,
  network: sandbox.kind === 'none' ? 'full' : sandbox.network,
  timeoutMs,
  transaction,
})
