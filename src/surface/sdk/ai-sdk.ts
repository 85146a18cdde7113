import { BASH_DESCRIPTION } from '../tools/bash-tool.js'
import { BashParameters } from '../tools/parameters.js'
import { type BashInput, commandOf, type SdkCordon, type SdkOptions, sdkCommands } from './sdk-commands.js'

export type { SdkCordon, SdkOptions } from './sdk-commands.js'

/** Details of a call in both versions. */
interface CallOptions {
  readonly toolCallId: string
  readonly messages: readonly unknown[]
}

export interface AiSdkBash {
  /** For `tools`. AI SDK 6 asks a person where `needsApproval` says so. */
  readonly tool: {
    readonly description: string
    readonly inputSchema: typeof BashParameters
    needsApproval(input: BashInput, options: CallOptions): Promise<boolean>
    execute(
      input: BashInput,
      options: CallOptions & { readonly abortSignal?: AbortSignal | undefined },
    ): Promise<string>
  }
  /** For `toolApproval` of AI SDK 7, whose approval request carries the reasons. */
  toolApproval(
    input: BashInput,
    options: CallOptions,
  ): Promise<{ readonly type: 'user-approval'; readonly reason: string } | undefined>
  /** Returns why a person is asked, where the approval request has no field for it (AI SDK 6). */
  reasons(toolCallId: string): string | null
}

/** Creates the `bash` tool for the Vercel AI SDK, versions 6 and 7. */
export function aiSdkBash(cordon: SdkCordon, options: SdkOptions = {}): AiSdkBash {
  const commands = sdkCommands(cordon, options)
  return {
    tool: {
      description: BASH_DESCRIPTION,
      inputSchema: BashParameters,
      async needsApproval(input, { toolCallId, messages }) {
        // The SDK asks again before it runs what was approved. Saying no there would take back the person's yes.
        return isApproved(messages, toolCallId) || (await commands.ask(toolCallId, commandOf(input))) !== null
      },
      async execute(input, { toolCallId, messages, abortSignal }) {
        const approvedCall = isApproved(messages, toolCallId) ? toolCallId : undefined
        return (await commands.answer(commandOf(input), { signal: abortSignal, approvedCall })).text
      },
    },
    async toolApproval(input, { toolCallId, messages }) {
      if (isApproved(messages, toolCallId)) return undefined
      const question = await commands.ask(toolCallId, commandOf(input))
      return question === null ? undefined : { type: 'user-approval', reason: question.reasons }
    },
    reasons: (toolCallId) => commands.reasons(toolCallId),
  }
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly approvalId?: unknown
  readonly approved?: unknown
}

/**
 * Reports whether the newest message brings a person's yes to the call. Earlier ones are spent. A model writes text
 * and tool calls, and so none of these parts.
 */
function isApproved(messages: readonly unknown[], toolCallId: string): boolean {
  const requests = messages
    .flatMap((message) => partsOf(message, 'assistant'))
    .filter((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId)
  return partsOf(messages.at(-1), 'tool').some(
    ({ type, approved, approvalId }) =>
      type === 'tool-approval-response' &&
      approved === true &&
      requests.some((request) => request.approvalId === approvalId),
  )
}

function partsOf(message: unknown, wanted: 'assistant' | 'tool'): readonly Part[] {
  const { role, content } = Object(message) as { readonly role?: unknown; readonly content?: unknown }
  return role === wanted && Array.isArray(content) ? content.map((part) => Object(part) as Part) : []
}
