import { CordonError } from '../../core/model/basics/errors.js'
import { failure } from './failure.js'
import type { Tool, ToolCall, ToolRegistry, ToolResult } from './tool.js'
import { type Validate, validator } from './validation.js'

/** Tool names that every model provider accepts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/

interface Entry {
  readonly tool: Tool
  readonly validate: Validate
}

/** An empty registry. A mistake of the program throws when it is made; a mistake of the model is a result. */
export function createRegistry(): ToolRegistry {
  const entries = new Map<string, Entry>()

  const entry = (name: string): Entry => {
    const found = entries.get(name)
    if (found) return found
    const names = [...entries.keys()].join(', ') || 'none'
    throw new CordonError('NOT_FOUND', `There is no tool named '${name}'. Registered: ${names}.`)
  }

  return {
    register(tool) {
      assertWhole(tool)
      if (entries.has(tool.name)) {
        throw new CordonError(
          'INVALID_ARGUMENTS',
          `A tool named '${tool.name}' is already registered. Choose another name.`,
        )
      }
      entries.set(tool.name, { tool, validate: schemaOf(tool) })
    },
    list: () => [...entries.values()].map(({ tool }) => tool),
    get: (name) => entry(name).tool,
    definitions: () =>
      [...entries.values()].map(({ tool: { name, description, parameters } }) => ({ name, description, parameters })),
    execute: async (call) => {
      try {
        return await executeTool(entry(call.name), call)
      } catch (thrown) {
        return failure(thrown)
      }
    },
  }
}

function executeTool({ tool, validate }: Entry, call: ToolCall): Promise<ToolResult> {
  const args = validate(tool.respell ? tool.respell(call.arguments) : call.arguments)
  return tool.execute(call.id, args, call.signal, { toolCallId: call.id, ...call.context })
}

function schemaOf(tool: Tool): Validate {
  try {
    return validator(tool.parameters)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new CordonError(
      'INVALID_ARGUMENTS',
      `The parameters of the tool '${tool.name}' are not a usable schema: ${why}`,
    )
  }
}

function assertWhole(tool: Tool): void {
  const wrong = (what: string): never => {
    throw new CordonError('INVALID_ARGUMENTS', `This is not a tool: ${what}.`)
  }
  if (typeof tool !== 'object' || tool === null) wrong('it is not an object')
  if (typeof tool.name !== 'string' || !NAME.test(tool.name)) {
    wrong('its name must be 1 to 64 letters, digits, underscores or hyphens')
  }
  if (typeof tool.label !== 'string' || tool.label === '') wrong(`'${tool.name}' has no label`)
  if (typeof tool.description !== 'string' || tool.description === '') wrong(`'${tool.name}' has no description`)
  if (typeof tool.parameters !== 'object' || tool.parameters === null) wrong(`'${tool.name}' has no parameters schema`)
  if (typeof tool.execute !== 'function') wrong(`'${tool.name}' has no execute function`)
}
