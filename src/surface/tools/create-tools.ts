import type { Engine } from '../../engine/api.js'
import { bashTool } from './bash-tool.js'
import { execTool } from './exec-tool.js'
import { createRegistry } from './registry.js'
import type { ToolRegistry } from './tool.js'

/**
 * A registry with `exec` and `bash`, ready for any model; more tools can be registered beside them. It is filled when
 * it is first asked: making schemas takes longer than a short command, and most engines are never asked for tools.
 */
export function createTools(engine: Pick<Engine, 'run'>): ToolRegistry {
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

function ownTools(engine: Pick<Engine, 'run'>): ToolRegistry {
  const registry = createRegistry()
  registry.register(execTool(engine))
  registry.register(bashTool(engine))
  return registry
}
