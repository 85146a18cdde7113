import { spawnSync } from 'node:child_process'

/** Longer texts are not asked about: what is wrong with them stays unknown. */
const MAX_CHARS = 65_536
/** Beginnings that are tried before the question is given up. */
const TRIES = 24
/** Time for all tries together, in which nothing else is served. */
const MAX_MS = 150

/**
 * Returns the error message of a shell for a text, without running it. Null if it accepts the text; undefined without
 * an answer.
 */
function messageOf(text: string, shell: string, timeout: number): string | null | undefined {
  const { status, stderr, error } = spawnSync(shell, ['-n'], {
    input: text,
    env: {},
    encoding: 'utf8',
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: 65_536,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  if (error !== undefined || status === null) return undefined
  // An unclosed here-document is only a warning.
  return status === 0 ? null : stderr
}

/**
 * Returns the number of lines that bash runs before a syntax error: -1 without an error or an answer. `sh\0TEXT` asks
 * /bin/sh. The shell parses the text without running it, without an environment and with a time limit.
 */
export function linesBeforeError(asked: string): number {
  const shell = asked.startsWith('sh\0') ? '/bin/sh' : '/bin/bash'
  const text = asked.slice(shell === '/bin/sh' ? 3 : 0)
  if (text.length > MAX_CHARS || text.includes('\0')) return -1
  const end = performance.now() + MAX_MS
  const ask = (part: string): string | null | undefined => {
    const left = Math.floor(end - performance.now())
    return left < 1 ? undefined : messageOf(part, shell, left)
  }
  const message = ask(text)
  if (message === null || message === undefined) return -1
  const lines = text.split('\n')
  const at = Number(/(?:line|\S*sh:) (\d+):/.exec(message)?.[1] ?? lines.length)
  const last = Math.min(at - 1, lines.length)
  for (let count = last; count >= 0 && last - count < TRIES; count--)
    if (count === 0 || ask(`${lines.slice(0, count).join('\n')}\n`) === null) return count
  return -1
}
