import { declare, exportNames } from './builtin-declare.js'
import { cd, pwd } from './builtin-directory.js'
import { breakOrContinue, exitShell, logOut, mayFail, returnFrom, trueOrFalse, unknownStatus } from './builtin-flow.js'
import { type } from './builtin-lookup.js'
import { mapfile } from './builtin-mapfile.js'
import { getopts, setOptions, shopt } from './builtin-options.js'
import { echo, printf, testBuiltin } from './builtin-print.js'
import { read } from './builtin-read.js'
import {
  aliases,
  bind,
  builtin,
  command,
  compgen,
  enable,
  evaluateWords,
  execute,
  hash,
  history,
  jobs,
  kill,
  source,
  trap,
  wait,
} from './builtin-run.js'
import { dirs, popd, pushd } from './builtin-stack.js'
import { letWords, shift, unset } from './builtin-variables.js'
import { umask } from './modes.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** A command bash carries out itself. `args[0]` is its name. */
export type Builtin = (reading: Reading, state: State, args: readonly Arg[]) => void

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', trueOrFalse(0)],
  ['true', trueOrFalse(0)],
  ['false', trueOrFalse(1)],
  ['echo', echo],
  ['printf', printf],
  ['test', testBuiltin],
  ['[', testBuiltin],
  ['cd', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['pwd', pwd],
  ['export', exportNames],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['unset', unset],
  ['set', setOptions],
  ['shift', shift],
  ['shopt', shopt],
  ['getopts', getopts],
  ['let', letWords],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['eval', evaluateWords],
  ['source', source],
  ['.', source],
  ['exec', execute],
  ['command', command],
  ['builtin', builtin],
  ['trap', trap],
  ['alias', aliases],
  ['unalias', mayFail],
  ['enable', enable],
  ['hash', hash],
  ['history', history],
  ['fc', history],
  ['bind', bind],
  ['complete', mayFail],
  ['compgen', compgen],
  ['compopt', mayFail],
  ['wait', wait],
  ['break', breakOrContinue],
  ['continue', breakOrContinue],
  ['return', returnFrom],
  ['exit', exitShell],
  ['logout', logOut],
  ['type', type],
  ['jobs', jobs],
  ['fg', unknownStatus],
  ['bg', unknownStatus],
  ['kill', kill],
  ['ulimit', mayFail],
  ['umask', umask],
  ['times', unknownStatus],
  ['suspend', mayFail],
  ['disown', mayFail],
  ['help', unknownStatus],
  ['caller', unknownStatus],
])

export const builtinNamed = (name: string): Builtin | undefined => BUILTINS.get(name)
