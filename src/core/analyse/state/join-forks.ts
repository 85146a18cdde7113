import type { Arg } from '../programs/grammar/roles.js'
import type { CostMeter } from '../text/cost-meter.js'
import { joinExits } from './control-transfer.js'
import { joinAliases, joinFunctions } from './join-definitions.js'
import { joinVariables } from './join-variables.js'
import { joinArguments } from './script-arguments.js'
import type { State } from './state.js'
import { joinDirectories } from './working-directory.js'

/** Sets `state` to the result of exactly one of the forks. */
export function joinForks(meter: CostMeter, state: State, forks: readonly State[]): void {
  const [first] = forks
  if (!first) return
  if (forks.every((fork) => fork === first || hasEqualState(fork, first))) {
    state.adopt(first)
    state.lastArg = eitherLast(forks)
    return
  }
  const staying = forks.filter(({ control }) => control.exit === null)
  const definitions = forks.map((fork) => fork.definitions)
  const variables = joinVariables(
    meter,
    forks.map((fork) => fork.variables),
  )
  const functions = joinFunctions(
    definitions,
    staying.map((fork) => fork.definitions),
  )
  const aliases = joinAliases(definitions)
  const main = staying[0] ?? first
  state.adopt(main)
  for (const [name, value] of aliases) state.definitions.setAlias(name, value)
  for (const [name, variable] of variables) state.variables.set(name, variable)
  for (const [name, body] of functions) state.definitions.setFunction(name, body)
  state.lastArg = eitherLast(forks)
  state.arguments = joinArguments(
    main.arguments,
    forks.map((fork) => fork.arguments),
  )
  state.directory = joinDirectories(
    main.directory,
    staying.map((fork) => fork.directory),
  )
  if (forks.some(({ options }) => options !== main.options))
    state.options = new Set(forks.flatMap(({ options }) => [...options]))
  joinControl(state, main, forks)
}

/** Joins the statuses and exits of several branches. */
function joinControl({ control, concurrency }: State, main: State, forks: readonly State[]): void {
  if (forks.some((fork) => fork.control.status !== main.control.status)) control.status = null
  control.mayExitLevels = Math.max(control.mayExitLevels, ...forks.map((fork) => fork.control.mayExitLevels))
  joinExits(
    control,
    forks.map((fork) => fork.control.exit),
    concurrency,
  )
}

/** Returns `$_` after one of several branches, or null if it differs. */
export const eitherLast = (forks: readonly State[]): Arg | null => {
  const last = forks[0]?.lastArg ?? null
  return forks.every((fork) => fork.lastArg === last) ? last : null
}

/** Tells whether two states differ only in variables and status. */
const hasEqualContext = (a: State, b: State): boolean =>
  a.directory.cwd === b.directory.cwd &&
  a.directory.previous === b.directory.previous &&
  a.arguments.positional === b.arguments.positional &&
  a.options === b.options &&
  a.arguments.scriptName === b.arguments.scriptName &&
  a.directory.stack === b.directory.stack

const isUnchanged = ({ variables, definitions }: State): boolean => variables.isUnchanged && definitions.isUnchanged

/** Tells whether two states are equal. */
const hasEqualState = (a: State, b: State): boolean =>
  isUnchanged(a) &&
  isUnchanged(b) &&
  hasEqualContext(a, b) &&
  a.control.status === b.control.status &&
  a.control.exit === b.control.exit &&
  a.control.mayExit === b.control.mayExit &&
  a.control.mayExitLevels === b.control.mayExitLevels

export const changesNothing = (fork: State, state: State): boolean =>
  isUnchanged(fork) && fork.control.status === state.control.status && changesVariables(fork, state)

/** Tells whether a fork changes only values of variables and the status. */
export const changesVariables = (fork: State, state: State): boolean =>
  fork.definitions.isUnchanged &&
  hasEqualContext(fork, state) &&
  fork.control.exit === null &&
  !fork.control.mayExit &&
  fork.control.mayExitLevels === 0
