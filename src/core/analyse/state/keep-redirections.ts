import type { State } from './state.js'

/** Marks the redirections of `exec >f`, so that they stay in force after the command. */
export function redirectsForExec(state: State): void {
  state.keptDescriptors = state.descriptors
}
