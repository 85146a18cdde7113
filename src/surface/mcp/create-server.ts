import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { CheckParameters, check } from './check-tool.js'
import type { McpEngine, McpIdentity } from './mcp-engine.js'
import { progressFor } from './progress.js'
import { CheckOutput, RunOutput } from './wire-schemas.js'

const INSTRUCTIONS =
  'Commands run inside a sandbox by a policy you cannot change. A refusal says which rule refused and what to do instead; ' +
  'do that, or ask the person you work for. A held command runs when the person has approved it and you repeat it. `check` tells beforehand and runs nothing.'

/** Remembers what is under way, so that a server that ends can wait until nothing is. */
export type Track = <T>(work: Promise<T>) => Promise<T>

/** One MCP server over an engine. Both eras of the protocol are served from it. */
export function createMcpServer(engine: McpEngine, identity: McpIdentity, track: Track = (work) => work): McpServer {
  const server = new McpServer(
    { name: 'cordon', title: 'Cordon', version: identity.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  for (const tool of engine.tools.list()) {
    server.registerTool(
      tool.name,
      {
        title: tool.label,
        description: tool.description,
        inputSchema: fromJsonSchema({ ...tool.parameters } as JsonSchemaType, checkedLater),
        outputSchema: RunOutput,
        annotations: { destructiveHint: true, openWorldHint: false },
      },
      (args, context) => track(call(engine, identity, tool.name, args, context)),
    )
  }
  server.registerTool(
    'check',
    {
      title: 'Check',
      description: 'Says what a bash script would do and whether the policy lets it, with the reasons. Runs nothing.',
      inputSchema: CheckParameters,
      outputSchema: CheckOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args) => check(engine, identity, args),
  )
  return server
}

/** The registry validates: it knows both spellings and words its complaints for a model. */
const checkedLater: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

async function call(
  { tools }: McpEngine,
  { agent, profile }: McpIdentity,
  name: string,
  args: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const answer = await tools.execute({
    id: String(context.mcpReq.id),
    name,
    arguments: args ?? {},
    signal: context.mcpReq.signal,
    context: { caller: 'mcp', agent, profile, onEvent: progressFor(context) },
  })
  return {
    isError: !answer.success,
    content: [{ type: 'text', text: answer.text }],
    structuredContent: answer.json as Record<string, unknown>,
  }
}
