import type { OnEvent } from '../../core/model/run/event.js'
import type { Engine } from '../../engine/api.js'

/** A tool call's answer, as the registry gives it. */
export interface ToolAnswer {
  readonly success: boolean
  readonly text: string
  readonly json: unknown
  readonly error?: { readonly code: string } | undefined
}

/** The tools a client is shown. They validate their own arguments and never reject. */
export interface ModelTools {
  list(): readonly {
    readonly name: string
    readonly label: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }[]
  execute(call: {
    readonly id: string
    readonly name: string
    readonly arguments: unknown
    readonly signal?: AbortSignal | undefined
    readonly context?: {
      readonly agent?: string | undefined
      readonly profile?: string | undefined
      readonly caller?: 'mcp'
      readonly keepOutput?: boolean
      readonly onEvent?: OnEvent | undefined
      readonly traceparent?: string | undefined
    }
  }): Promise<ToolAnswer>
}

/** The engine as MCP needs it. */
export interface McpEngine
  extends Pick<Engine, 'approvals' | 'audit' | 'authorize' | 'check' | 'logs' | 'profiles' | 'transactions'> {
  readonly tools: ModelTools
}

/** Fixed when the server starts. A client, and so a model, has no way to change it. */
export interface McpIdentity {
  readonly version: string
  readonly agent?: string | undefined
  readonly profile?: string | undefined
  /** Milliseconds that a held command waits for a person whom the client cannot ask. Default: 50 s. */
  readonly waitMs?: number | undefined
}
