import type { SdkCordon, SdkOptions } from './sdk-commands.js'
import { sdkCommands } from './sdk-commands.js'
import { runShellAction } from './shell-action.js'

export type { SdkCordon, SdkOptions } from './sdk-commands.js'

/** A `shell_call` of a response. */
export interface ShellCall {
  readonly call_id: string
  readonly action: {
    readonly commands: readonly string[]
    readonly timeout_ms: number | null
    readonly max_output_length: number | null
  }
}

/** The item that answers it, for the next request's `input`. */
export interface ShellCallOutput {
  type: 'shell_call_output'
  call_id: string
  max_output_length: number | null
  output: {
    stdout: string
    stderr: string
    outcome: { type: 'exit'; exit_code: number } | { type: 'timeout' }
  }[]
}

export interface OpenAiShell {
  /** For `tools`. */
  readonly tool: { type: 'shell'; environment: { type: 'local' }; allowed_callers: ['direct'] }
  /** Answers one call. Never rejects because of the model. */
  answer(call: ShellCall, options?: { readonly signal?: AbortSignal | undefined }): Promise<ShellCallOutput>
}

/**
 * Creates the local `shell` tool of the Responses API. The API has no approval: a held command is answered with the
 * words that a person must run, and the same call runs afterwards.
 */
export function openAiShell(cordon: SdkCordon, options: SdkOptions = {}): OpenAiShell {
  const commands = sdkCommands(cordon, options)
  return {
    tool: { type: 'shell', environment: { type: 'local' }, allowed_callers: ['direct'] },
    async answer({ call_id, action }, { signal } = {}) {
      const { timeout_ms: timeoutMs, max_output_length } = action
      const request = { commands: action.commands, timeoutMs, maxOutputLength: max_output_length }
      const endings = await runShellAction(commands, request, { signal })
      const output = endings.map(({ stdout, stderr, exitCode }) => ({
        stdout,
        stderr,
        outcome: exitCode === null ? { type: 'timeout' as const } : { type: 'exit' as const, exit_code: exitCode },
      }))
      return { type: 'shell_call_output', call_id, max_output_length, output }
    },
  }
}
