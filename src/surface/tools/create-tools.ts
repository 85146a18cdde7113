import type { Engine } from '../../engine/api.js'
import { bashTool } from './bash-tool.js'
import { execTool } from './exec-tool.js'
import { createRegistry, type RegistryEngine } from './registry.js'
import type { ToolRegistry } from './tool.js'

/** The parts of an engine that tools use. Without the optional ones no call of another tool is recorded. */
export type ToolEngine = Pick<Engine, 'run'> & Partial<RegistryEngine>

/**
 * A registry with `exec` and `bash`, ready for any model; more tools can be registered beside them. It is filled when
 * it is first asked: making schemas takes longer than a short command, and most engines are never asked for tools.
 */
export function createTools(engine: ToolEngine): ToolRegistry {
  let filled: ToolRegistry | null = null
  const tools = (): ToolRegistry => {
    filled ??= ownTools(engine)
    return filled
  }
  return {
    register: (tool) => tools().register(tool),
    list: () => tools().list(),
    get: (name) => tools().get(name),
    definitions: () => tools().definitions(),
    execute: (call) => tools().execute(call),
  }
}

function ownTools(engine: ToolEngine): ToolRegistry {
  const registry = createRegistry(
    engine.recordCall && engine.pathsFor ? { recordCall: engine.recordCall, pathsFor: engine.pathsFor } : undefined,
  )
  registry.register(execTool(engine))
  registry.register(bashTool(engine))
  return registry
}
