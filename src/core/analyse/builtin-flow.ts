import type { Builtin } from './builtins.js'
import { unknown } from './value.js'

export const trueOrFalse =
  (status: 0 | 1): Builtin =>
  (_reading, state) => {
    state.status = status
  }

/** Changes nothing that is followed, and need not go well. */
export const mayFail: Builtin = (_reading, state) => {
  state.status = null
}

/** Prints something that is not known. */
export const unknownStatus: Builtin = (_reading, state, args) => {
  state.status = null
  state.descriptors.get(1)?.sink?.write(unknown('decoded', `the output of ${args[0]?.text}`))
}

export const breakOrContinue: Builtin = (_reading, state, args) => {
  state.status = 0
  if (state.loops === 0) return
  const levels = Number(args[1]?.text ?? 1)
  state.leave = {
    how: args[0]?.text === 'break' ? 'break' : 'continue',
    levels: Number.isFinite(levels) ? Math.max(1, levels) : 1,
  }
}

const statusOf = (text: string | null | undefined, before: number | null): number | null => {
  if (text === undefined) return before
  return text !== null && /^-?\d+$/.test(text) ? Number(text) & 255 : null
}

export const returnFrom: Builtin = (_reading, state, args) => {
  if (state.frames === 0) {
    state.status = 2
    return
  }
  state.status = statusOf(args[1]?.text, state.status)
  state.leave = { how: 'return' }
}

/** It fails in a shell that nobody logged in to, and most are such. */
export const logOut: Builtin = (_reading, state) => {
  state.status = 1
  state.mayLeave = true
}

export const exitShell: Builtin = (_reading, state, args) => {
  state.status = statusOf(args[1]?.text, state.status)
  state.leave = { how: 'exit' }
}
