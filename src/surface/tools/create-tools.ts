import type { Engine } from '../../engine/api.js'
import { bashTool } from './bash-tool.js'
import { execTool } from './exec-tool.js'
import { createRegistry } from './registry.js'
import type { ToolRegistry } from './tool.js'

/** A registry with `exec` and `bash`, ready for any model; more tools can be registered beside them. */
export function createTools(engine: Pick<Engine, 'run'>): ToolRegistry {
  const registry = createRegistry()
  registry.register(execTool(engine))
  registry.register(bashTool(engine))
  return registry
}
