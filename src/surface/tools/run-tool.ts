import { toText } from '../../core/present/text-form.js'
import { toWire } from '../../core/present/wire.js'
import type { CommandInput, Engine } from '../../engine/api.js'
import type { ToolContext, ToolResult } from './tool.js'

export interface RunArguments {
  readonly cwd?: string | undefined
  readonly timeout?: number | undefined
}

/** Runs a command for a tool. Refusals throw; a non-zero exit is a result that did not succeed. */
export async function runTool(
  engine: Pick<Engine, 'run'>,
  command: CommandInput,
  { cwd, timeout }: RunArguments,
  signal: AbortSignal | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const result = await engine.run(command, {
    ...requestContext(context),
    caller: context.caller ?? 'tool',
    cwd,
    timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
    signal,
  })
  const success = result.exitCode === 0 && !result.timedOut && !result.cancelled
  return { success, text: toText(result), json: toWire(result), error: result.error ?? undefined }
}

/** The part of the context that a request has. */
function requestContext({ paths: _, ...context }: ToolContext): Omit<ToolContext, 'paths'> {
  return context
}

/** Whole milliseconds the engine can clamp: a schema's `number` includes 0 and 1e300. */
export const milliseconds = (seconds: number): number =>
  Math.min(Math.max(1, Math.round(seconds * 1000)), Number.MAX_SAFE_INTEGER)
