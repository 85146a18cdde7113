/** A jump out of a list of commands. */
export type Exit = { readonly how: 'break' | 'continue'; readonly levels: number } | { readonly how: 'return' | 'exit' }

/** The status of the last command and the pending jump. */
export class Control {
  status: number | null
  exit: Exit | null = null
  /** True if a jump may have happened. */
  mayExit = false
  /** The exit level of a possible jump inside the shell. Later commands of the list may not run. */
  mayExitLevels = 0
  /** The number of running loops, functions and sourced files. */
  loops: number
  callDepth: number
  /** The number of command substitutions so far. */
  substitutions: number

  constructor(parent: Control | null) {
    this.status = parent === null ? 0 : parent.status
    this.loops = parent === null ? 0 : parent.loops
    this.callDepth = parent === null ? 0 : parent.callDepth
    this.substitutions = parent === null ? 0 : parent.substitutions
  }

  adopt(fork: Control): void {
    this.status = fork.status
    this.exit = fork.exit
    this.mayExit ||= fork.mayExit
    this.mayExitLevels = Math.max(this.mayExitLevels, fork.mayExitLevels)
    this.substitutions = fork.substitutions
  }
}
