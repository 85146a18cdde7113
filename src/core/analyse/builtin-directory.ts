import { resolvePath } from '../model/path.js'
import type { Builtin } from './builtins.js'
import { currentDirectory } from './current-directory.js'
import { addPath } from './path-facts.js'
import { isMade } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { SOMEWHERE, type State, scalar } from './state.js'
import { concat, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** Linux refuses longer paths. A script that goes deeper step by step is no longer followed. */
const PATH_MAX = 4_096

/** Where `cd` goes; undefined when it goes nowhere, null when that is not known. */
export function destination(reading: Reading, state: State, arg: Arg | undefined): string | null {
  if (!arg) {
    const home = lookUp(reading, state, 'HOME').value
    return typeof home === 'string' ? logical(state, home) : null
  }
  if (arg.text === null) return null
  if (arg.text === '-') return state.previous
  const cdpath = state.get('CDPATH')
  if (cdpath?.isSet && cdpath.value !== '' && !/^\.{0,2}\//.test(arg.text) && !/^\.\.?$/.test(arg.text))
    return amongst(reading, state, cdpath.value, arg.text)
  if (arg.text === '') return state.cwd
  const path = logical(state, arg.text)
  return path !== null && path.length > PATH_MAX ? null : path
}

/** Where a name is found in the directories of CDPATH; null where that cannot be told. */
function amongst(reading: Reading, state: State, directories: Value, name: string): string | null {
  if (typeof directories !== 'string') return null
  for (const directory of directories.split(':')) {
    const path = logical(state, `${directory === '' ? '.' : directory}/${name}`)
    if (path === null) return null
    const kind = reading.answers.paths.get(path)?.kind
    if (reading.made.has(path) || kind === 'directory') return path
    if (kind === undefined) {
      reading.ask({ ask: 'path', path })
      return null
    }
  }
  return logical(state, name)
}

/** `cd` folds `..` by the names it came by, whatever is a link. */
const logical = (state: State, path: string): string | null =>
  path.startsWith('/') ? resolvePath(path, '/') : state.cwd === null ? null : resolvePath(path, state.cwd)

/** So many directories are remembered that a `cd` may not have left. */
const STAYS = 4
const NOWHERE_ELSE: readonly string[] = []

const EVERYWHERE = /^\/(?:(?:usr\/)?(?:bin|sbin|lib)|usr(?:\/local|\/share)?|tmp|etc|var|home|opt|dev|proc)?$/

/** A directory that every machine has, the home, or one above the directory of the request. */
const isThere = ({ context }: Reading, path: string | null): boolean =>
  path !== null && (EVERYWHERE.test(path) || path === context.home || `${context.cwd}/`.startsWith(`${path}/`))

/** Goes there. */
export function go(reading: Reading, state: State, to: string | null, arg: Arg | undefined): void {
  if (arg && arg.text !== '-' && arg.text !== '') addPath(reading, state, 'reads', arg, 'cd', false)
  if (arg && isMade(arg)) reading.reportUnknown('a directory is named by text that a program makes', arg.span)
  reading.work.add((to?.length ?? 0) >> 2)
  const known = to === null ? undefined : reading.answers.paths.get(to)
  state.previous = state.cwd
  // A directory that is not there, and that nothing before can have made, leaves us where we are.
  if (
    known &&
    known.kind !== 'directory' &&
    !reading.made.has(to ?? '') &&
    !(known.kind === 'missing' && reading.findings.mayHaveMade(to ?? ''))
  ) {
    state.previous = null
    state.status = 1
    return
  }
  noteVariables(state, to, arg)
  const isSure = known?.kind === 'directory' || isThere(reading, to) || state.options.has('errexit')
  const stays =
    state.cwd === to && arg?.text === '.'
      ? state.stays
      : isSure || state.cwd === null || state.cwd === to
        ? NOWHERE_ELSE
        : [...state.stays, state.cwd]
  state.stays = stays.slice(-STAYS)
  state.cwd = to
  if (to === null) {
    state.places = arg?.options ?? []
    state.place = arg?.place ?? `${SOMEWHERE}-${reading.somewhere++}`
  }
  state.status = to !== null && known?.kind === 'directory' ? 0 : null
}

/** bash sets them anew, whatever they were set to. It keeps two slashes at the start of a path. */
function noteVariables(state: State, to: string | null, arg: Arg | undefined): void {
  const isDouble = /^\/\/(?!\/)/.test(arg?.text ?? '')
  const old = state.get('PWD')
  if (old || isDouble)
    state.set('PWD', scalar(to === null || isDouble ? unknown('environment', 'the current directory') : to, old))
  const before = state.get('OLDPWD')
  if (before) state.set('OLDPWD', scalar(state.cwd ?? unknown('environment', 'the previous directory'), before))
}

/** What stands behind the options of `cd`. */
export const operandsOf = (args: readonly Arg[]): readonly Arg[] => {
  const rest = args.slice(1)
  const end = rest.findIndex((arg) => !/^-([LPe@]+|-)$/.test(arg.text ?? ''))
  return end < 0 ? [] : rest.slice(end)
}

/** One directory is gone to, or none: with more words than that bash stays where it is. */
export const areTooMany = (arg: Arg | undefined, others: readonly Arg[]): boolean =>
  arg !== undefined && others.length > 0 && ![arg, ...others].some(({ several }) => several)

export const cd: Builtin = (reading, state, args) => {
  const [arg, ...others] = operandsOf(args)
  if (areTooMany(arg, others)) state.status = 1
  else go(reading, state, destination(reading, state, arg), arg)
}

export const pwd: Builtin = (_reading, state) => {
  state.status = 0
  state.descriptors.get(1)?.sink?.write(concat(currentDirectory(state), '\n'))
}

/** Directories a script makes: they are there for `cd`. */
export function noteDirectories(reading: Reading, state: State, args: readonly Arg[]): void {
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? '-'
    if (text.startsWith('-')) continue
    const path = reading.absolute(state, text)
    if (path === null || path.length > PATH_MAX) continue
    reading.work.add(path.length >> 1)
    for (let up = path; up !== '' && !reading.made.has(up); up = up.slice(0, up.lastIndexOf('/'))) reading.made.add(up)
  }
}
