import { BASH_DESCRIPTION } from '../tools/bash-tool.js'
import { BashParameters } from '../tools/parameters.js'
import { type BashInput, commandOf, type SdkCordon, type SdkOptions, sdkCommands } from './sdk-commands.js'

export type { SdkCordon, SdkOptions } from './sdk-commands.js'

/** The parts of a tool's config that say which call it is. */
interface CallConfig {
  readonly signal?: AbortSignal | undefined
  readonly toolCall?: { readonly id?: string | undefined } | undefined
}

interface ToolCall {
  readonly id?: string | undefined
  readonly args: unknown
}

export interface LangChainBash {
  /** For `tool(bash.run, bash.fields)`. */
  run(input: BashInput, config?: CallConfig): Promise<string>
  readonly fields: { name: 'bash'; description: string; schema: typeof BashParameters }
  /** For `humanInTheLoopMiddleware({ interruptOn: { bash: bash.interruptOn } })`. */
  readonly interruptOn: {
    /** Without `edit`: nobody has seen what an edited command would do. */
    allowedDecisions: ('approve' | 'reject')[]
    when(request: { readonly toolCall: ToolCall }): Promise<boolean>
    description(call: ToolCall): string
  }
}

/** Creates the `bash` tool for LangChain, and the settings that interrupt the agent for a held command. */
export function langChainBash(cordon: SdkCordon, options: SdkOptions = {}): LangChainBash {
  const commands = sdkCommands(cordon, options)
  /** Calls that were asked about again, which LangChain does when it resumes, just before it runs an approved call. */
  const resumed = new Set<string>()

  return {
    run: async (input, { signal, toolCall } = {}) => {
      const id = toolCall?.id
      const approvedCall = id !== undefined && resumed.delete(id) ? id : undefined
      return (await commands.answer(commandOf(input), { signal, approvedCall })).text
    },
    fields: { name: 'bash', description: BASH_DESCRIPTION, schema: BashParameters },
    interruptOn: {
      allowedDecisions: ['approve', 'reject'],
      async when({ toolCall: { id, args } }) {
        const input = BashParameters.safeParse(args).data
        if (id === undefined || input === undefined) return false
        const question = await commands.ask(id, commandOf(input))
        if (question !== null && !question.isNew) resumed.add(id)
        return question !== null
      },
      description: ({ id = '' }) => commands.reasons(id) ?? '',
    },
  }
}
