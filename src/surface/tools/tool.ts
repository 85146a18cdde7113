import type { ApprovalRef, ErrorInfo } from '../../core/model/basics/errors.js'
import type { OnEvent } from '../../core/model/run/event.js'
import type { Caller } from '../../core/model/run/request.js'

/** A JSON Schema for an object, in the form that models get. */
export type ParameterSchema = Readonly<Record<string, unknown>>

/** Set by the application, never by the model: agent and profile of a call. */
export interface ToolContext {
  readonly agent?: string | undefined
  readonly profile?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly caller?: Caller | undefined
  readonly onEvent?: OnEvent | undefined
  readonly traceparent?: string | undefined
  readonly toolCallId?: string | undefined
  /** The name the model called the tool by. The registry sets it. */
  readonly toolName?: string | undefined
  /** The id of a granted approval. */
  readonly approval?: string | undefined
  /** The path check of the profile's roots, for tools that use files. The registry sets it. */
  readonly paths?: PathCheck | undefined
}

/** Resolves paths and keeps them inside the profile's roots. Throws a CordonError otherwise. */
export interface PathCheck {
  resolve(path: string): string
  directory(path: string): string
}

/** A tool's answer. `text` is for reading, `json` for programs; `error` is set if the work was not done. */
export interface ToolResult {
  readonly success: boolean
  readonly text: string
  readonly json: unknown
  readonly error?: ErrorInfo | undefined
  /** Set if the call is held: a person must approve it. */
  readonly approval?: ApprovalRef | undefined
}

export interface Tool {
  readonly name: string
  /** For people. */
  readonly label: string
  /** For models. */
  readonly description: string
  readonly parameters: ParameterSchema
  /**
   * Rewrites another accepted spelling of the arguments into the one `parameters` describes. Validation comes after
   * it.
   */
  readonly respell?: (args: unknown) => unknown
  /** The tool's calls become requests of the engine, which records them itself. */
  readonly isRequest?: boolean
  /** `args` have passed `parameters`. A CordonError thrown here reaches the model as an error result. */
  execute(
    callId: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal | undefined,
    context?: ToolContext,
  ): Promise<ToolResult>
}

/** Describes a tool to a model. */
export interface ToolDefinition {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: ParameterSchema
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
  readonly signal?: AbortSignal | undefined
  readonly context?: ToolContext | undefined
}

export interface ToolRegistry {
  /** Throws INVALID_ARGUMENTS for a tool that is not whole or whose name is taken. */
  register(tool: Tool): void
  list(): readonly Tool[]
  /** Throws NOT_FOUND, naming the tools there are. */
  get(name: string): Tool
  definitions(): readonly ToolDefinition[]
  /** Never rejects: a model's mistake becomes a result that it can read. */
  execute(call: ToolCall): Promise<ToolResult>
}
