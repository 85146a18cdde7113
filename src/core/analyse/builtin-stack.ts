import { areTooMany, destination, go, operandsOf } from './builtin-directory.js'
import type { Builtin } from './builtins.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { concat, unknown, type Value } from './value.js'

/** Directories remembered by `pushd`. */
const STACK = 128

type Stack = readonly (string | null)[]

/** The stack with this directory under the top. Past the bound all below are one that is not known. */
const pushed = (directory: string | null, { directories }: State): Stack =>
  directories.length < STACK ? [directory, ...directories] : [directory, ...directories.slice(0, STACK - 2), null]

/** `+N` counts from the top, `-N` from the bottom; null where there is no such number. */
function placeOf(text: string, size: number): number | null {
  const match = /^([+-])(\d+)$/.exec(text)
  if (!match) return null
  const number = Number(match[2])
  return match[1] === '+' ? number : size - 1 - number
}

const isNumbered = (text: string | null | undefined): text is string => /^[+-]\d+$/.test(text ?? '')

/** The whole stack, the directory we are in on top. */
const stackOf = (state: State): Stack => [state.cwd, ...state.directories]

/** Makes this the stack. With `stays` only what lies below the top changes, and we stay where we are. */
function settle(state: State, [top, ...others]: Stack, stays: boolean): void {
  state.directories = others
  if (stays || top === undefined || top === state.cwd) return
  state.previous = state.cwd
  state.cwd = top
}

export const pushd: Builtin = (reading, state, args) => {
  const operands = operandsOf(args)
  const stays = operands[0]?.text === '-n'
  const arg = operands[stays ? 1 : 0]
  reading.work.add(state.directories.length)
  state.status = null
  if (isNumbered(arg?.text)) {
    const stack = stackOf(state)
    const at = placeOf(arg.text, stack.length) ?? 0
    settle(state, [...stack.slice(at), ...stack.slice(0, at)], stays)
  } else if (!arg) {
    const [top, ...others] = state.directories
    if (top !== undefined) settle(state, [top, state.cwd, ...others], stays)
  } else if (/^-./.test(arg.text ?? '')) state.status = 1
  else if (areTooMany(arg, operands.slice(stays ? 2 : 1))) state.status = 1
  else if (stays) state.directories = pushed(arg.text, state)
  else {
    state.directories = pushed(state.cwd, state)
    go(reading, state, destination(reading, state, arg), arg)
  }
  tell(reading, state, false)
}

export const popd: Builtin = (reading, state, args) => {
  const stays = args[1]?.text === '-n'
  const which = args[stays ? 2 : 1]?.text
  const stack = stackOf(state)
  if (stack.length < 2 || which === null) {
    state.status = which === null ? null : 1
    return
  }
  const at = isNumbered(which) ? placeOf(which, stack.length) : stays ? 1 : 0
  settle(
    state,
    stack.filter((_, i) => i !== at),
    stays,
  )
  state.status = 0
  tell(reading, state, false)
}

/** `dirs [-clpv] [+N | -N]`. */
export const dirs: Builtin = (reading, state, args) => {
  const options = args.slice(1).flatMap(({ text }) => (/^-[clpv]+$/.test(text ?? '') ? [text] : []))
  const letters = options.join('')
  state.status = 0
  if (letters.includes('c')) {
    state.directories = []
    return
  }
  const which = args.find(({ text }) => isNumbered(text))?.text
  const stack = stackOf(state)
  const at = isNumbered(which) ? placeOf(which, stack.length) : null
  const sink = state.descriptors.get(1)?.sink
  if (at !== null) sink?.write(concat(shown(reading, stack[at] ?? null, letters.includes('l')), '\n'))
  else if (/[pv]/.test(letters))
    stack.forEach((path, i) => {
      const line = concat(shown(reading, path, letters.includes('l')), '\n')
      sink?.write(letters.includes('v') ? concat(`${String(i).padStart(2)}  `, line) : line)
    })
  else tell(reading, state, letters.includes('l'))
}

/** The stack on one line. */
function tell(reading: Reading, state: State, isLong: boolean): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink) return
  if (state.stays.length > 0) {
    sink.write(unknown('environment', 'remembered directories'))
    return
  }
  stackOf(state).forEach((path, i) => {
    sink.write(i === 0 ? shown(reading, path, isLong) : concat(' ', shown(reading, path, isLong)))
  })
  sink.write('\n')
}

/** What is below the home is shown with a tilde. */
function shown(reading: Reading, path: string | null, isLong: boolean): Value {
  if (path === null) return unknown('environment', 'a remembered directory')
  const { home } = reading.context
  return !isLong && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path
}
