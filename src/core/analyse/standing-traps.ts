import type { Simple } from '../shell/tree.js'
import { forkMaybe } from './branch.js'
import type { Reading } from './reading.js'
import { runText } from './shell-text.js'
import type { State } from './state.js'
import type { Value } from './value.js'

/** A command that `trap` set, and the shell and function it is in force in. */
export interface StandingTrap {
  readonly text: Value
  readonly concurrency: number
  readonly frames: number
}

const HANDED_ON: Readonly<Record<string, string>> = { DEBUG: 'functrace', RETURN: 'functrace', ERR: 'errtrace' }

/** Puts a trap in force from now on, or takes it back where there is no text. What is done at the end is no matter of these. */
export function standTrap(reading: Reading, state: State, signal: string, text: Value | null): void {
  const name = signal.toUpperCase().replace(/^SIG/, '')
  reading.standing ??= new Map()
  if (name === 'EXIT' || name === '0') return
  if (text === null) reading.standing.delete(name)
  else reading.standing.set(name, { text, concurrency: state.concurrency, frames: state.frames })
}

/** Is a trap of this name in force where we are? Functions and subshells have none, unless they are told to. */
function trapAt(reading: Reading, state: State, name: string): StandingTrap | null {
  const trap = reading.standing?.get(name)
  if (!trap || reading.isTrapped || state.leave?.how === 'exit') return null
  const option = HANDED_ON[name]
  const isHanded = option === undefined || state.options.has(option) || state.options.has('extdebug')
  const isHere = trap.concurrency === state.concurrency && (trap.frames === state.frames || name === 'RETURN')
  return isHere || isHanded ? trap : null
}

function runTrap(reading: Reading, state: State, { text }: StandingTrap): void {
  const { status, last, via } = state
  reading.isTrapped = true
  state.via = [...via, 'trap']
  runText(reading, state, text)
  state.via = via
  reading.isTrapped = false
  state.status = status
  // What it left there may be seen.
  state.last = [last ?? [], state.last ?? []].flat()
}

/** Before every simple command. */
export function runDebugTrap(reading: Reading, state: State, node: Simple): void {
  if (!reading.isTrapped) {
    reading.command = { node, source: reading.source }
    reading.lastCommands ??= new Map()
    reading.lastCommands.set(state, reading.command)
  }
  const trap = trapAt(reading, state, 'DEBUG')
  if (trap) runTrap(reading, state, trap)
}

/** After a command that failed or may have, after a function, or where a signal is sent: it runs, or does not. */
export function runStandingTrap(reading: Reading, state: State, name: string): void {
  const trap = trapAt(reading, state, name)
  if (!trap) return
  const { leave } = state
  state.leave = null
  forkMaybe(reading, state, (fork) => runTrap(reading, fork, trap))
  state.leave ??= leave
}

/** All signals, once one is sent: which of them is not looked at. */
export function runSignalTraps(reading: Reading, state: State): void {
  for (const name of reading.standing?.keys() ?? [])
    if (HANDED_ON[name] === undefined) runStandingTrap(reading, state, name)
}
