import { spawnSync } from 'node:child_process'

/** Longer texts are not asked about: what is wrong with them stays unknown. */
const MAX_CHARS = 65_536
/** Beginnings that are tried before the question is given up. */
const TRIES = 24
const TIMEOUT_MS = 1_000

/** What bash says of a text without running it: null where it accepts it, else its message; undefined where it does not answer. */
function messageOf(text: string): string | null | undefined {
  const { status, stderr, error } = spawnSync('/bin/bash', ['--norc', '--noprofile', '-n'], {
    input: text,
    env: {},
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 65_536,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  if (error !== undefined || status === null) return undefined
  // A here-document that is not closed is only warned about.
  return status === 0 ? null : stderr
}

/**
 * Returns the number of lines that bash runs of a text before it finds an error in it: -1 where it finds none, or where that cannot be
 * told. Bash reads the text and runs nothing, without an environment and for a bounded time.
 */
export function linesBeforeError(text: string): number {
  if (text.length > MAX_CHARS || text.includes('\0')) return -1
  const message = messageOf(text)
  if (message === null || message === undefined) return -1
  const lines = text.split('\n')
  const at = Number(/line (\d+):/.exec(message)?.[1] ?? lines.length)
  const last = Math.min(at - 1, lines.length)
  for (let count = last; count >= 0 && last - count < TRIES; count--)
    if (count === 0 || messageOf(`${lines.slice(0, count).join('\n')}\n`) === null) return count
  return -1
}
