import type { Builtin } from '../analysis/interpreter.js'
import { umask } from '../files/file-modes.js'
import { cd, pwd } from './cd.js'
import { breakOrContinue, exitShell, logout, mayFail, returnFrom, trueOrFalse, unknownStatus } from './control-flow.js'
import { declare, exportNames } from './declare.js'
import { echo, printf, testBuiltin } from './echo-and-printf.js'
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
} from './eval-source-exec.js'
import { mapfile } from './mapfile.js'
import { dirs, popd, pushd } from './pushd-popd.js'
import { read } from './read.js'
import { getopts, setOptions, shopt } from './set-shopt-getopts.js'
import { type } from './type-and-command.js'
import { letWords, shift, unset } from './unset-shift-let.js'

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
  ['logout', logout],
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
