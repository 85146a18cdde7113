import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Tells whether Claude Code starts a hook or an MCP server of the person through its shell prefix. Claude Code marks
 * these by a variable, which commands of the model do not have. Commands in the sandbox are confined already.
 */
export const isOwnStart = ({ CLAUDECODE, AI_AGENT = '' }: Env): boolean =>
  CLAUDECODE === '1' && /^claude-code_[\w.-]+_harness$/.test(AI_AGENT)

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Tells whether the words start this Cordon as a hook, and nothing else. */
export function startsOwnHook(words: readonly string[], cordon: string): boolean {
  const program = words.slice(words.indexOf('timeout') + 2, -2)
  const [first = '', second] = program.map(real)
  return (
    (program.length === 1 && first === cordon) ||
    (program.length === 2 && first === real(process.execPath) && second === cordon)
  )
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Runs a program with the streams and variables of this one, outside the sandbox. Resolves to its exit status. */
export function runOutside([program = '', ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
    child.once('error', reject)
    child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })
}
