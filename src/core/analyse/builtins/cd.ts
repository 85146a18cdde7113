import { resolvePath } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Builtin } from '../analysis/interpreter.js'
import { lookUp } from '../expand/variables.js'
import { addPath } from '../files/path-facts.js'
import { absolutePath } from '../files/physical-path.js'
import { isComputed } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { currentDirectory } from '../state/current-directory.js'
import type { State } from '../state/state.js'
import { scalar } from '../state/variable.js'
import { SOMEWHERE } from '../state/working-directory.js'
import { concat, unknown, type Value } from '../values/value.js'

/** The longest path that Linux accepts. The analysis stops following a `cd` beyond it. */
const PATH_MAX = 4_096

/** Returns the target of `cd`, or null if it is unknown. */
export function destination(analysis: Analysis, state: State, arg: Arg | undefined): string | null {
  if (!arg) {
    const home = lookUp(analysis, state, 'HOME').value
    return typeof home === 'string' ? logical(state, home) : null
  }
  if (arg.text === null) return null
  if (arg.text === '-') return state.directory.previous
  const cdpath = state.variables.get('CDPATH')
  if (cdpath?.isSet && cdpath.value !== '' && !/^\.{0,2}\//.test(arg.text) && !/^\.\.?$/.test(arg.text))
    return findInDirectories(analysis, state, cdpath.value, arg.text)
  if (arg.text === '') return state.directory.cwd
  const path = logical(state, arg.text)
  return path !== null && path.length > PATH_MAX ? null : path
}

/** Finds a name in the directories of CDPATH. Returns null if that is unknown. */
function findInDirectories(analysis: Analysis, state: State, directories: Value, name: string): string | null {
  if (typeof directories !== 'string') return null
  for (const directory of directories.split(':')) {
    const path = logical(state, `${directory === '' ? '.' : directory}/${name}`)
    if (path === null) return null
    const kind = analysis.answers.paths.get(path)?.kind
    if (analysis.files.directories.has(path) || kind === 'directory') return path
    if (kind === undefined) {
      analysis.questions.add({ ask: 'path', path })
      return null
    }
  }
  return logical(state, name)
}

/** Resolves `..` by the names of the path, as `cd` does, even through symlinks. */
const logical = (state: State, path: string): string | null =>
  path.startsWith('/')
    ? resolvePath(path, '/')
    : state.directory.cwd === null
      ? null
      : resolvePath(path, state.directory.cwd)

/** The maximum number of remembered directories that a failed `cd` may have stayed in. */
const MAX_OLD_CWDS = 4

const EVERYWHERE = /^\/(?:(?:usr\/)?(?:bin|sbin|lib)|usr(?:\/local|\/share)?|tmp|etc|var|home|opt|dev|proc)?$/

/** Tells whether a directory surely exists: on every machine, the home, or an ancestor of the working directory. */
const surelyExists = ({ input }: Analysis, path: string | null): boolean =>
  path !== null && (EVERYWHERE.test(path) || path === input.home || `${input.cwd}/`.startsWith(`${path}/`))

export function changeDirectory(analysis: Analysis, state: State, to: string | null, arg: Arg | undefined): void {
  if (arg && arg.text !== '-' && arg.text !== '') addPath(analysis, state, { kind: 'reads', by: 'cd' }, arg)
  if (arg && isComputed(arg)) analysis.findings.reportUnknown('a program computes the name of a directory', arg.span)
  analysis.budget.add((to?.length ?? 0) >> 2)
  const known = to === null ? undefined : analysis.answers.paths.get(to)
  const { directory } = state
  // A missing directory that no earlier command can have created leaves the working directory unchanged.
  if (
    known &&
    known.kind !== 'directory' &&
    !analysis.files.directories.has(to ?? '') &&
    !(known.kind === 'missing' && analysis.findings.mayHaveMade(to ?? ''))
  ) {
    state.directory = { ...directory, previous: null }
    state.control.status = 1
    return
  }
  noteVariables(state, to, arg)
  const isSure = known?.kind === 'directory' || surelyExists(analysis, to) || state.options.has('errexit')
  const isLeft = !isSure && directory.cwd !== null && directory.cwd !== to
  const possibleOldCwds = isLeft
    ? [...directory.possibleOldCwds, directory.cwd].slice(-MAX_OLD_CWDS)
    : directory.cwd === to && arg?.text === '.'
      ? directory.possibleOldCwds
      : []
  const unknown = {
    possibleCwds: arg?.alternatives ?? [],
    unknownCwdName: arg?.pathName ?? `${SOMEWHERE}-${analysis.files.nextName()}`,
  }
  state.directory = { ...directory, previous: directory.cwd, possibleOldCwds, cwd: to, ...(to === null ? unknown : {}) }
  state.control.status = to !== null && known?.kind === 'directory' ? 0 : null
}

/** Sets PWD and OLDPWD without regard to their values. bash keeps two slashes at the start of a path. */
function noteVariables(state: State, to: string | null, arg: Arg | undefined): void {
  const isDouble = /^\/\/(?!\/)/.test(arg?.text ?? '')
  const old = state.variables.get('PWD')
  if (old || isDouble)
    state.variables.set(
      'PWD',
      scalar(to === null || isDouble ? unknown('environment', 'the current directory') : to, old),
    )
  const before = state.variables.get('OLDPWD')
  if (before)
    state.variables.set(
      'OLDPWD',
      scalar(state.directory.cwd ?? unknown('environment', 'the previous directory'), before),
    )
}

export const operandsOf = (args: readonly Arg[]): readonly Arg[] => {
  const rest = args.slice(1)
  const end = rest.findIndex((arg) => !/^-([LPe@]+|-)$/.test(arg.text ?? ''))
  return end < 0 ? [] : rest.slice(end)
}

/** Tells whether `cd` has more than one operand. bash then stays in the directory. */
export const areTooMany = (arg: Arg | undefined, others: readonly Arg[]): boolean =>
  arg !== undefined && others.length > 0 && ![arg, ...others].some(({ maySplit }) => maySplit)

export const cd: Builtin = (analysis, state, args) => {
  const [arg, ...others] = operandsOf(args)
  if (areTooMany(arg, others)) state.control.status = 1
  else changeDirectory(analysis, state, destination(analysis, state, arg), arg)
}

export const pwd: Builtin = (_analysis, state) => {
  state.control.status = 0
  state.descriptors.get(1)?.sink?.write(concat(currentDirectory(state), '\n'))
}

/** Records directories that the script makes, so that `cd` finds them. */
export function noteDirectories(analysis: Analysis, state: State, args: readonly Arg[]): void {
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? '-'
    if (text.startsWith('-')) continue
    const path = absolutePath(analysis, state, text)
    if (path === null || path.length > PATH_MAX) continue
    analysis.budget.add(path.length >> 1)
    for (let up = path; up !== '' && !analysis.files.directories.has(up); up = up.slice(0, up.lastIndexOf('/')))
      analysis.files.directories.add(up)
  }
}
