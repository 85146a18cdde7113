import type { State } from './state.js'

/** `exec >f` keeps its redirections: they are marked so that whoever put them in force does not take them back. */
export function redirectsForExec(state: State): void {
  state.keptDescriptors = state.descriptors
}
