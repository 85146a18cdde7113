import type { Builtin } from '../analysis/interpreter.js'
import type { State } from '../state/state.js'
import { unknown } from '../values/value.js'
import { areTooMany, changeDirectory, destination, operandsOf } from './cd.js'

/** The maximum depth of the directory stack. Deeper entries become one unknown entry. */
const MAX_STACK = 128

/** `pushd DIR`. Options and numbers, which rotate the stack, are not followed. */
export const pushd: Builtin = (analysis, state, args) => {
  const [arg, ...others] = operandsOf(args)
  state.control.status = null
  printStack(state)
  if (!arg || arg.text === null || /^[-+]./.test(arg.text)) forgetDirectory(state)
  else if (areTooMany(arg, others)) state.control.status = 1
  else {
    const { cwd, stack } = state.directory
    analysis.budget.add(stack.length)
    state.directory = { ...state.directory, stack: [cwd, ...stack.slice(0, MAX_STACK - 1)] }
    changeDirectory(analysis, state, destination(analysis, state, arg), arg)
  }
}

export const popd: Builtin = (_analysis, state, args) => {
  state.control.status = null
  printStack(state)
  const [top, ...others] = state.directory.stack
  if (args.length > 1 || top === undefined) forgetDirectory(state)
  else state.directory = { ...state.directory, previous: state.directory.cwd, cwd: top, stack: others }
}

export const dirs: Builtin = (_analysis, state) => {
  state.control.status = null
  printStack(state)
}

function forgetDirectory(state: State): void {
  state.directory = { ...state.directory, previous: state.directory.cwd, cwd: null, stack: [] }
}

function printStack(state: State): void {
  state.descriptors.get(1)?.sink?.write(unknown('decoded', 'the directory stack'))
}
