import { baseName } from '../../model/path.js'
import { without } from './arguments.js'
import type { Arg, Call, Effect } from './knowledge.js'

/** The program's base name, as `via` and messages have it. */
export const nameOf = ({ program }: Call): string => baseName(program)

/** What follows `prefix` in an argument, or null when it is not known to start with it. */
export function after(arg: Arg, prefix: string): Arg | null {
  return arg.head.startsWith(prefix) ? without(arg, prefix.length) : null
}

/** The two sides of the first `separator`; null when it is not in the known part. */
export function cut(arg: Arg, separator: string): readonly [string, Arg] | null {
  const at = arg.head.indexOf(separator)
  if (at < 0) return null
  return [arg.head.slice(0, at), without(arg, at + separator.length)]
}

export const reads = (path: Arg, recursive = false): Effect => ({ does: 'read', path, recursive })
export const writes = (path: Arg, recursive = false): Effect => ({ does: 'write', path, recursive })
export const deletes = (path: Arg, recursive = false): Effect => ({ does: 'delete', path, recursive })
export const runsShell = (text: Arg, via: string): Effect => ({ does: 'shell', text, via })
export const foreign = (reason: string, at?: Arg): Effect =>
  at ? { does: 'foreign', reason, at: at.span } : { does: 'foreign', reason }
