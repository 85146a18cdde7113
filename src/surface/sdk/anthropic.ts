import * as z from 'zod'
import { type SdkCordon, type SdkOptions, sdkCommands } from './sdk-commands.js'

export type { SdkCordon, SdkOptions } from './sdk-commands.js'

/** A `tool_use` block of a message. */
export interface ToolUse {
  readonly id: string
  readonly input: unknown
}

export interface ToolResult {
  type: 'tool_result'
  tool_use_id: string
  content: string
  is_error: boolean
}

export interface AnthropicBash {
  readonly type: 'bash_20250124'
  readonly name: 'bash'
  /** Answers one call, for a loop of your own. Never rejects because of the model. */
  answer(call: ToolUse, options?: { readonly signal?: AbortSignal | null | undefined }): Promise<ToolResult>
  /** For `client.beta.messages.toolRunner`. Rejects with the text of a command that failed, which marks the result. */
  run(input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }): Promise<string>
  parse(input: unknown): unknown
}

const Input = z.strictObject({ command: z.string().optional(), restart: z.boolean().optional() })

const RESTARTED = 'Every command starts in a new shell in the workspace, so there is nothing to restart.'

/**
 * Creates the client-side `bash_20250124` tool. The API has no approval: a held command is answered with the words
 * that a person must run, and the same call runs afterwards.
 */
export function anthropicBash(cordon: SdkCordon, options: SdkOptions = {}): AnthropicBash {
  const commands = sdkCommands(cordon, options)

  const reply = async (given: unknown, signal: AbortSignal | null | undefined) => {
    const input = Input.safeParse(given).data
    if (input?.restart) return { text: RESTARTED, success: true }
    if (input?.command !== undefined)
      return commands.answer({ command: input.command }, { signal: signal ?? undefined })
    return { text: 'The input must be { "command": string } or { "restart": true }.', success: false }
  }

  return {
    type: 'bash_20250124',
    name: 'bash',
    async answer({ id, input }, { signal } = {}) {
      const { text, success } = await reply(input, signal)
      return { type: 'tool_result', tool_use_id: id, content: text, is_error: !success }
    },
    async run(input, { signal } = {}) {
      const { text, success } = await reply(input, signal)
      if (!success) throw new Error(text)
      return text
    },
    parse: (input) => input,
  }
}
