import { CordonError } from '../../core/model/basics/errors.js'
import type { Engine } from '../../engine/api.js'
import { failure } from './failure.js'
import type { PathCheck, Tool, ToolCall, ToolContext, ToolRegistry, ToolResult } from './tool.js'
import { type Validate, validator } from './validation.js'

/** Tool names that every model provider accepts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/

interface Entry {
  readonly tool: Tool
  readonly validate: Validate
}

/** The parts of an engine that a registry uses. */
export interface RegistryEngine extends Pick<Engine, 'recordCall'> {
  /** The path check of an agent's profile. */
  readonly pathsFor: (context: ToolContext) => PathCheck
}

/** An empty registry. A mistake of the program throws when it is made; a mistake of the model is a result. */
export function createRegistry(engine?: RegistryEngine): ToolRegistry {
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
      [...entries.values()].map(({ tool: { name, label, description, parameters } }) => ({
        name,
        label,
        description,
        parameters,
      })),
    execute: async (call) => {
      try {
        return await executeTool(call, entry, engine)
      } catch (thrown) {
        return failure(thrown)
      }
    },
  }
}

/** Every call is recorded once: by the request it becomes, or here. */
async function executeTool(
  call: ToolCall,
  entry: (name: string) => Entry,
  engine: RegistryEngine | undefined,
): Promise<ToolResult> {
  const context: ToolContext = { toolCallId: call.id, toolName: call.name, ...call.context }
  const record = <T>(act: () => Promise<T>): Promise<T> => {
    const { agent, caller = 'tool', toolCallId, toolName } = context
    return engine === undefined
      ? act()
      : engine.recordCall({ agent, caller, toolCallId, toolName, arguments: call.arguments }, act)
  }
  const known = attempt(() => {
    const { tool, validate } = entry(call.name)
    return { tool, args: validate(tool.respell ? tool.respell(call.arguments) : call.arguments) }
  })
  if ('error' in known) return record(() => Promise.reject(known.error))
  const { tool, args } = known.value
  if (tool.isRequest) return tool.execute(call.id, args, call.signal, context)
  const paths = engine?.pathsFor(context)
  return record(() => tool.execute(call.id, args, call.signal, { ...context, paths }))
}

function attempt<T>(act: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
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
