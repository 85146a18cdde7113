import { CordonError } from '../core/model/basics/errors.js'
import type { Result } from '../core/model/run/result.js'
import { bashBlocks } from '../core/present/markdown-blocks.js'
import type { CommandInput, MarkdownOutcome, RunOptions } from './api.js'

type RunOne = (command: CommandInput, options?: RunOptions) => Promise<Result>

/** In order, stopping at the first that fails; every result so far is returned. */
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
    const result = await run(command, options)
    results.push(result)
    if (result.exitCode !== 0) break
  }
  return results
}

/** Runs a command; throws a CordonError with the result in its details if the command fails. */
export async function mustSucceed(run: RunOne, command: CommandInput, options?: RunOptions): Promise<Result> {
  const result = await run(command, options)
  if (result.exitCode === 0) return result
  const code = result.timedOut ? 'TIMED_OUT' : result.cancelled ? 'CANCELLED' : 'COMMAND_FAILED'
  const lines = result.stderr.trim().split('\n').slice(-3).join('\n')
  const summary =
    result.timedOut || result.cancelled ? (result.error?.message ?? '') : `Command exited with code ${result.exitCode}`
  throw new CordonError(code, lines === '' ? summary : `${summary}: ${lines}`, { result })
}

const shown = (result: Result): string => {
  const status =
    result.error && result.exitCode !== 0 && (result.timedOut || result.cancelled) ? `\n${result.error.message}` : ''
  const code = result.exitCode !== 0 && status === '' ? `\nCommand exited with code ${result.exitCode}` : ''
  return `$ ${result.command}\n${result.output === '' ? '(no output)' : result.output.trimEnd()}${status}${code}`
}

/**
 * Every fenced bash block of a reply, in order, as one summary. A refused block ends it; the error carries what ran
 * before.
 */
export async function runMarkdown(run: RunOne, reply: string, options?: RunOptions): Promise<MarkdownOutcome | null> {
  if (typeof reply !== 'string') throw new CordonError('INVALID_ARGUMENTS', 'The reply must be a string of Markdown.')
  const blocks = bashBlocks(reply)
  if (blocks.length === 0) return null
  const results: Result[] = []
  for (const block of blocks) {
    try {
      results.push(await run(block, options))
    } catch (error) {
      if (!(error instanceof CordonError)) throw error
      throw new CordonError(error.code, error.message, {
        ...error.details,
        results,
        summary: results.map(shown).join('\n\n'),
      })
    }
  }
  return { blocks: blocks.length, results, summary: results.map(shown).join('\n\n') }
}
