import { type ErrorInfo, errorInfo } from '../model/basics/errors.js'

/** The longest part of a line of stderr that is quoted in a message. */
const QUOTED_CHARS = 300

/**
 * Classifies a failure by exit code and stderr. Returns null for success and for every other exit.
 */
export function classifyExit(exitCode: number, stderr: string): ErrorInfo | null {
  if (exitCode === 0) return null
  if (exitCode === 126)
    return blocked(lineWith(stderr, /not allowed|permission denied|cannot execute/i) ?? NOT_EXECUTABLE)
  if (exitCode === 127) return missing(lineWith(stderr, /not found|no such file/i) ?? NOT_FOUND)
  const denied = lineWith(stderr, /permission denied/i)
  if (denied !== null) return blocked(denied)
  const absent = lineWith(stderr, /no such file or directory/i)
  return absent === null ? null : missing(absent)
}

const NOT_EXECUTABLE = 'The command was found but could not be executed (exit code 126).'
const NOT_FOUND = 'The command was not found (exit code 127).'

const blocked = (message: string): ErrorInfo => errorInfo('COMMAND_FAILED', message, { category: 'policy-blocked' })
const missing = (message: string): ErrorInfo => errorInfo('COMMAND_FAILED', message, { category: 'permanent' })

/** The last such line: what went wrong last is what ended the command. */
function lineWith(text: string, pattern: RegExp): string | null {
  const line = text.split('\n').findLast((candidate) => pattern.test(candidate))
  return line === undefined ? null : line.trim().slice(0, QUOTED_CHARS)
}
