import { baseName } from '../../../model/basics/path.js'
import { without } from './arguments.js'
import type { Arg, Call, Effect } from './roles.js'

/** Returns the program's base name, as used in `via` and messages. */
export const nameOf = ({ program }: Call): string => baseName(program)

/** Returns the argument after `prefix`, or null if it does not start with it. */
export function after(arg: Arg, prefix: string): Arg | null {
  return arg.prefix.startsWith(prefix) ? without(arg, prefix.length) : null
}

/** Splits at the first `separator`, or returns null if the known part has none. */
export function cut(arg: Arg, separator: string): readonly [string, Arg] | null {
  const at = arg.prefix.indexOf(separator)
  if (at < 0) return null
  return [arg.prefix.slice(0, at), without(arg, at + separator.length)]
}

export const reads = (path: Arg, recursive = false): Effect => ({ does: 'read', path, recursive })
export const writes = (path: Arg, recursive = false): Effect => ({ does: 'write', path, recursive })
export const deletes = (path: Arg, recursive = false): Effect => ({ does: 'delete', path, recursive })
export const runsShell = (text: Arg, via: string): Effect => ({ does: 'shell', text, via })
export const foreign = (reason: string, at?: Arg): Effect =>
  at ? { does: 'foreign', reason, at: at.span } : { does: 'foreign', reason }
