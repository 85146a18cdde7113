import { areTooMany, destination, go, operandsOf } from './builtin-directory.js'
import type { Builtin } from './builtins.js'
import type { State } from './state.js'
import { unknown } from './value.js'

/** Directories remembered by `pushd`. Past this all below are one that is not known. */
const STACK = 128

/** `pushd DIR`. Options and numbers, which turn the stack, are not followed. */
export const pushd: Builtin = (reading, state, args) => {
  const [arg, ...others] = operandsOf(args)
  state.status = null
  tell(state)
  if (!arg || arg.text === null || /^[-+]./.test(arg.text)) forget(state)
  else if (areTooMany(arg, others)) state.status = 1
  else {
    reading.work.add(state.directories.length)
    state.directories = [state.cwd, ...state.directories.slice(0, STACK - 1)]
    go(reading, state, destination(reading, state, arg), arg)
  }
}

export const popd: Builtin = (_reading, state, args) => {
  state.status = null
  tell(state)
  const [top, ...others] = state.directories
  if (args.length > 1 || top === undefined) forget(state)
  else {
    state.previous = state.cwd
    state.cwd = top
    state.directories = others
  }
}

export const dirs: Builtin = (_reading, state) => {
  state.status = null
  tell(state)
}

/** We may be anywhere. */
function forget(state: State): void {
  state.previous = state.cwd
  state.cwd = null
  state.directories = []
}

/** They all print the stack. */
function tell(state: State): void {
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'remembered directories'))
}
