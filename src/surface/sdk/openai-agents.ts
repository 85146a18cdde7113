import type { SdkCordon, SdkOptions } from './sdk-commands.js'
import { sdkCommands } from './sdk-commands.js'
import { askAboutAction, reasonsOfCall, runShellAction, type ShellAction } from './shell-action.js'

export type { SdkCordon, SdkOptions } from './sdk-commands.js'

export interface AgentsShellOptions extends SdkOptions {
  /** Ends running commands. The SDK gives a shell no signal of its own. */
  readonly signal?: AbortSignal | undefined
  /** The name given to `shellTool`, if another than `shell`. */
  readonly name?: string | undefined
}

/** The run of an agent, which knows what a person has approved. */
interface RunContext {
  isToolApproved(approval: { toolName: string; callId: string }): boolean | undefined
}

/** The SDK wants an index signature, which an interface has not. */
type ShellOutput = {
  stdout: string
  stderr: string
  outcome: { type: 'exit'; exitCode: number } | { type: 'timeout' }
}

/** Options for `shellTool`. */
export interface AgentsShell {
  readonly name: string
  readonly shell: { run(action: ShellAction): Promise<{ output: ShellOutput[]; maxOutputLength?: number }> }
  needsApproval(context: RunContext, action: ShellAction, callId?: string): Promise<boolean>
  /**
   * Listens to `agent_tool_start` of an agent. Only needed where a run state is stored, and resumed in another process
   * than the one that asked.
   */
  started(context: RunContext, tool: unknown, details: { readonly toolCall: unknown }): void
  /** Returns why a person is asked: an interruption has no field for it. */
  reasons(interruption: { readonly rawItem: unknown }): string | null
}

/** Creates a shell for the OpenAI Agents SDK: `shellTool(agentsShell(cordon))`. */
export function agentsShell(
  cordon: SdkCordon,
  { signal, name = 'shell', ...options }: AgentsShellOptions = {},
): AgentsShell {
  const commands = sdkCommands(cordon, options)
  /** The SDK hands `run` the very action that it asked about. */
  const calls = new WeakMap<ShellAction, { readonly context: RunContext; readonly callId: string }>()

  /** The call, if a person has said yes to it. */
  const approvedCall = (action: ShellAction): string | undefined => {
    const call = calls.get(action)
    if (call === undefined) return undefined
    const approval = { toolName: name, callId: call.callId, functionTool: false }
    return call.context.isToolApproved(approval) === true ? call.callId : undefined
  }

  return {
    name,
    shell: {
      async run(action) {
        const endings = await runShellAction(commands, action, { signal, approvedCall: approvedCall(action) })
        const output = endings.map(({ stdout, stderr, exitCode }): ShellOutput => {
          return { stdout, stderr, outcome: exitCode === null ? { type: 'timeout' } : { type: 'exit', exitCode } }
        })
        return { output, ...(action.maxOutputLength ? { maxOutputLength: action.maxOutputLength } : {}) }
      },
    },
    async needsApproval(context, action, callId = '') {
      calls.set(action, { context, callId })
      return (await askAboutAction(commands, action, callId)) !== null
    },
    started(context, _tool, { toolCall }) {
      const { action, callId } = callIn(toolCall)
      if (action && callId !== undefined) calls.set(action, { context, callId })
    },
    reasons: ({ rawItem }) => {
      const { action, callId } = callIn(rawItem)
      return action && callId !== undefined ? reasonsOfCall(commands, callId, action) : null
    },
  }
}

const callIn = (item: unknown): { readonly action?: ShellAction; readonly callId?: string } => Object(item)
