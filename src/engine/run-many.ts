import { CordonError, type ErrorCode } from '../core/model/basics/errors.js'
import type { Result } from '../core/model/run/result.js'
import type { CommandInput, RunOptions } from './api.js'

export type RunOne = (command: CommandInput, options?: RunOptions) => Promise<Result>

/** Runs commands in order, stopping at the first that fails. An error carries the results before it. */
export async function sequence(
  run: RunOne,
  commands: readonly CommandInput[],
  options?: RunOptions,
): Promise<readonly Result[]> {
  if (!Array.isArray(commands) || commands.length === 0) {
    throw new CordonError('INVALID_ARGUMENTS', 'A sequence needs an array of at least one command.')
  }
  const results: Result[] = []
  for (const command of commands) {
    const result = await run(command, options).catch((thrown) => {
      throw withDetails(thrown, { results })
    })
    results.push(result)
    if (result.exitCode !== 0) break
  }
  return results
}

/** Adds details to an error of Cordon; anything else stays what it is. */
export function withDetails(thrown: unknown, details: Readonly<Record<string, unknown>>): unknown {
  if (!(thrown instanceof CordonError)) return thrown
  return new CordonError(thrown.code, thrown.message, { ...thrown.details, ...details })
}

/** Runs a command; throws a CordonError with the result in its details if the command fails. */
export async function mustSucceed(run: RunOne, command: CommandInput, options?: RunOptions): Promise<Result> {
  const result = await run(command, options)
  if (result.exitCode === 0) return result
  const code = failureOf(result)
  const lines = result.stderr.trim().split('\n').slice(-3).join('\n')
  const isOwn = code !== 'COMMAND_FAILED' && code !== 'COMMAND_BLOCKED'
  const summary = isOwn ? (result.error?.message ?? '') : `Command exited with code ${result.exitCode}`
  throw new CordonError(code, lines === '' ? summary : `${summary}: ${lines}`, { result })
}

function failureOf({ timedOut, cancelled, ending, exitCode }: Result): ErrorCode {
  if (timedOut) return 'TIMED_OUT'
  if (cancelled) return 'CANCELLED'
  if (ending.how === 'refused') return ending.code
  if (ending.how === 'killed' && ending.by === 'limit') return 'LIMIT_EXCEEDED'
  return exitCode === 126 ? 'COMMAND_BLOCKED' : 'COMMAND_FAILED'
}
