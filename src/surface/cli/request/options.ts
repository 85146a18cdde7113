import { type Command, InvalidArgumentError, Option } from 'commander'
import { CordonError } from '../../../core/model/basics/errors.js'
import { LIMITS } from '../../../core/model/basics/limits.js'
import type { RunOptions } from '../../../engine/api.js'
import type { Io } from '../terminal/io.js'

/** Options of every command that checks or runs something. */
export interface SharedOptions {
  readonly profile?: string
  readonly agent?: string
  readonly cwd?: string
  readonly timeout?: number | 'none'
  readonly env?: Readonly<Record<string, string>>
  readonly json?: boolean
  readonly color: boolean
}

export interface RunningOptions extends SharedOptions {
  /** Undefined: as the mode has it. */
  readonly stdin?: boolean
  /** Show the result as a model gets it. */
  readonly present?: boolean
  readonly keepOutput?: boolean
  readonly approval?: string
  readonly restoreOnFailure?: boolean
}

export const addColor = (command: Command): Command => command.option('--no-color', 'no colours')

export const addJson = (command: Command): Command => command.option('--json', 'print JSON for programs')

/** Agent, directory, timeout and variables of one request. */
export function addRequestOptions(command: Command): Command {
  command
    .option('--profile <name>', 'the profile to decide and run by')
    .option('--agent <name>', 'the agent on whose behalf this is asked')
    .option('--cwd <directory>', 'working directory, inside the allowed roots')
    .addOption(
      new Option('--timeout <seconds>', "seconds until it is ended, or 'none' where the profile allows it").argParser(
        timeout,
      ),
    )
    .addOption(new Option('--env <name=value>', 'one more variable for the command (repeatable)').argParser(variable))
  return addColor(addJson(command))
}

export function addRunningOptions(command: Command): Command {
  addRequestOptions(command)
  return command
    .option('--present', 'print the result as a model gets it: filtered, cut and with a summary')
    .addOption(
      new Option('--stdin', 'with --json or --present: pass standard input on, all of it text').default(undefined),
    )
    .option('--no-stdin', 'give the command an empty standard input, as in a loop that reads a list')
    .option('--keep-output', "keep the whole output on disk, for 'cordon logs'")
    .option('--restore-on-failure', 'put the files back if the command fails')
    .option('--approval <id>', "the approval a person gave with 'cordon approve'")
}

function timeout(text: string): number | 'none' {
  if (text === 'none') return 'none'
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(seconds)) throw new InvalidArgumentError("It must be a number of seconds or 'none'.")
  return seconds
}

function variable(text: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=')
  const name = text.slice(0, Math.max(0, at))
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new InvalidArgumentError('It must look like NAME=value.')
  return { ...previous, [name]: text.slice(at + 1) }
}

/** The engine's options for a command-line request. */
export function runOptions(options: RunningOptions): RunOptions {
  const { profile, agent, cwd, timeout: seconds, env, restoreOnFailure } = options
  const timeoutMs = typeof seconds === 'number' ? Math.max(1, Math.round(seconds * 1000)) : seconds
  const onFailure = restoreOnFailure ? 'restore' : undefined
  return { caller: 'cli', profile, agent, cwd, timeoutMs, env, onFailure }
}

/** All of stdin as text. Refuses what is too large or not text before anything is started. */
export async function readStdin({ stdin }: Io, what: string, limitBytes: number = LIMITS.stdinBytes): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limitBytes) {
      throw new CordonError(
        'INVALID_ARGUMENTS',
        `${what} is larger than ${limitBytes} bytes. Put it into a file in the workspace.`,
      )
    }
    chunks.push(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new CordonError('INVALID_ARGUMENTS', `${what} is not valid UTF-8 text.`)
  }
}
