import type { Span } from '../../model/basics/span.js'
import type { PathFact } from '../../model/run/facts.js'

/** Programs that read a settings file and start the command after it, without printing values. */
const LOADERS = new Set(['dotenv', 'dotenvx', 'dotenv-cli', 'env-cmd', 'foreman', 'honcho'])

/** `--env-file=` before the path, or at the beginning of its word. */
const BEFORE = /(?:^|\s)--env-file(?:-if-exists)?(?:=|\s+)["']?$/
const WORD = /^["']?--env-file(?:-if-exists)?=/

/** Shell code that reads variables or commands: `export $(grep -v '^#' .env | xargs)`, `source <(sed s/x/y/ .env)`. */
const TAKES =
  /(?:^|[\s;&|(])(?:(?:export|env|declare\s+-x)\s+["']?\$\(|(?:source|\.)\s+<\(|eval\s+["']?\$\()(?:[^()"'`]|"[^"`$]*"|'[^']*')*\)/g

/**
 * Reports whether a command passes the variables of a file to programs without showing them: `source .env`, `node
 * --env-file=.env`, `export $(grep … .env | xargs)`. An in-place edit also shows nothing.
 */
export function takesSettings(text: string, { by, path, span }: PathFact, writes: readonly PathFact[]): boolean {
  if (by === 'bash' || LOADERS.has(by)) return true
  if (WORD.test(text.slice(...span)) || BEFORE.test(text.slice(0, span[0]))) return true
  if (writes.some((write) => write.path === path && write.by === by && isSame(write.span, span))) return true
  return [...text.matchAll(TAKES)].some(({ index, 0: all }) => index <= span[0] && span[1] <= index + all.length)
}

const isSame = (a: Span, b: Span): boolean => a[0] === b[0] && a[1] === b[1]
