import {
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server'
import { CheckParameters, check } from './check-tool.js'
import { HistoryParameters, history, UndoParameters, undo } from './history-tools.js'
import { PermissionParameters, permission } from './permission-tool.js'
import { registerResources } from './resources.js'
import { runCall } from './run-call.js'
import type { Serving } from './serving.js'

const INSTRUCTIONS =
  'Commands run inside a sandbox by a policy you cannot change. A refusal says which rule refused and what to do instead; ' +
  'do that, or ask the person you work for. A held command runs when the person has approved it and you repeat it. `check` tells beforehand and runs nothing.'

/** Claude Code defers the tools of servers until they are searched for; these are few and small. */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true }

/** One MCP server over an engine. Both eras of the protocol are served from it. */
export function createMcpServer(serving: Serving, era: 'legacy' | 'modern' = 'legacy'): McpServer {
  const { engine, identity, asked } = serving
  const server = new McpServer(
    { name: 'cordon', title: 'Cordon', version: identity.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      requestState: { verify: asked.verify },
      inputRequired: { legacyShim: false },
    },
  )
  for (const { name, label, description, parameters } of engine.tools.list()) {
    server.registerTool(
      name,
      {
        title: label,
        description,
        inputSchema: fromJsonSchema({ ...parameters } as JsonSchemaType, checkedLater),
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
        _meta: ALWAYS_LOADED,
      },
      (args, context) => serving.track(runCall(serving, { server, era, name, args, context })),
    )
  }
  registerLookingTools(server, serving)
  registerPermissionTool(server, serving)
  registerResources(server, serving)
  return server
}

function registerLookingTools(server: McpServer, { engine, identity, track }: Serving): void {
  const looking = { readOnlyHint: true, openWorldHint: false }
  server.registerTool(
    'check',
    {
      title: 'Check',
      description: 'Says what a bash script would do and whether the policy lets it, with the reasons. Runs nothing.',
      inputSchema: CheckParameters,
      annotations: looking,
      _meta: ALWAYS_LOADED,
    },
    (args) => check(engine, identity, args),
  )
  server.registerTool(
    'history',
    {
      title: 'History',
      description: 'Lists what commands changed in this workspace, newest first, with their undo ids.',
      inputSchema: HistoryParameters,
      annotations: looking,
      _meta: ALWAYS_LOADED,
    },
    (args) => history(engine, args),
  )
  server.registerTool(
    'undo',
    {
      title: 'Undo',
      description: 'Takes back the file changes of one command. The undo can itself be undone.',
      inputSchema: UndoParameters,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      _meta: ALWAYS_LOADED,
    },
    (args) => track(undo(engine, identity, args)),
  )
}

function registerPermissionTool(server: McpServer, serving: Serving): void {
  server.registerTool(
    'permission',
    {
      title: 'Permission',
      description: "For Claude Code's --permission-prompt-tool, not for models: whether a command may run.",
      inputSchema: PermissionParameters,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args, context) => serving.track(permission(serving, args, context)),
  )
}

/** The registry validates: it knows both spellings and words its complaints for a model. */
const checkedLater: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}
