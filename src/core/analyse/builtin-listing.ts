import type { Arg } from './programs/knowledge.js'
import type { State } from './state.js'
import { unknown } from './value.js'

/** Builtins that print what the shell knows when they are told nothing else, or by an option. */
const LISTING = new Set(
  'alias hash trap shopt enable bind complete compopt history fc umask ulimit set export declare typeset local readonly'.split(
    ' ',
  ),
)
/** Those of them that are mostly told something. */
const SETTING = new Set('set export declare typeset local readonly'.split(' '))

/** Notes that a builtin lists words of the script in a layout of its own: run by a shell they are a disguise. */
export function writeListing(state: State, name: string, args: readonly Arg[]): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink || !LISTING.has(name)) return
  const lists =
    args.length === 1 ||
    /^[-+]o$/.test(args.at(-1)?.head ?? '') ||
    args.some(({ head }) => /^-[a-zA-Z]*[pfF]/.test(head))
  if (lists || !SETTING.has(name)) sink.write(unknown('decoded', `what ${name} lists`))
}
