import type { Builtin } from '../analysis/interpreter.js'
import { unknown } from '../values/value.js'

export const trueOrFalse =
  (status: 0 | 1): Builtin =>
  (_analysis, state) => {
    state.control.status = status
  }

/** Has no modelled effect and can fail. */
export const mayFail: Builtin = (_analysis, state) => {
  state.control.status = null
}

/** Prints unknown output. */
export const unknownStatus: Builtin = (_analysis, state, args) => {
  state.control.status = null
  state.descriptors.get(1)?.sink?.write(unknown('decoded', `the output of ${args[0]?.text}`))
}

export const breakOrContinue: Builtin = (_analysis, state, args) => {
  state.control.status = 0
  if (state.control.loops === 0) return
  const levels = Number(args[1]?.text ?? 1)
  state.control.exit = {
    how: args[0]?.text === 'break' ? 'break' : 'continue',
    levels: Number.isFinite(levels) ? Math.max(1, levels) : 1,
  }
}

const statusOf = (text: string | null | undefined, before: number | null): number | null => {
  if (text === undefined) return before
  return text !== null && /^-?\d+$/.test(text) ? Number(text) & 255 : null
}

export const returnFrom: Builtin = (_analysis, state, args) => {
  if (state.control.callDepth === 0) {
    state.control.status = 2
    return
  }
  state.control.status = statusOf(args[1]?.text, state.control.status)
  state.control.exit = { how: 'return' }
}

/** Fails, because most shells are not login shells. */
export const logout: Builtin = (_analysis, state) => {
  state.control.status = 1
  state.control.mayExit = true
}

export const exitShell: Builtin = (_analysis, state, args) => {
  state.control.status = statusOf(args[1]?.text, state.control.status)
  state.control.exit = { how: 'exit' }
}
