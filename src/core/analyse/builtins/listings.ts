import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { unknown } from '../values/value.js'

/** Builtins that list shell state without arguments or with an option. */
const LISTING = new Set(
  'alias hash trap shopt enable bind complete compopt history fc umask ulimit set export declare typeset local readonly'.split(
    ' ',
  ),
)
/** Builtins among these that mostly set something. */
const SETTING = new Set('set export declare typeset local readonly'.split(' '))

/** Marks the output of a listing builtin as obfuscation, because it quotes words of the script in its own layout. */
export function writeListing(state: State, name: string, args: readonly Arg[]): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink || !LISTING.has(name)) return
  const lists =
    args.length === 1 ||
    /^[-+]o$/.test(args.at(-1)?.prefix ?? '') ||
    args.some(({ prefix }) => /^-[a-zA-Z]*[pfF]/.test(prefix))
  if (lists || !SETTING.has(name)) sink.write(unknown('decoded', `the output of ${name}`))
}
