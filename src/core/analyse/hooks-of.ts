import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runScript } from './shell-text.js'
import type { State } from './state.js'

/** Files the script wrote that a program runs by itself: hooks of a repository, the parts of `run-parts`. */
export function runHooks(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (!reading.memory.hasFiles) return
  const isHook = program === 'git' ? (path: string) => /\/hooks\/[a-z-]+$/.test(path) : isPart(reading, state, args)
  const paths = [...reading.files.keys()].filter(isHook)
  reading.undecided++
  for (const path of paths.slice(0, 32)) {
    const inner = state.fork()
    inner.via = [...state.via, program]
    inner.zero = path
    runScript(reading, inner, { text: path, head: path, several: false, span: reading.here }, [], 'unknown')
  }
  reading.undecided--
}

function isPart(reading: Reading, state: State, args: readonly Arg[]): (path: string) => boolean {
  const directories = args.slice(1).flatMap((arg) => (arg.text ? [`${reading.absolute(state, arg.text)}/`] : []))
  return (path) => directories.some((directory) => path.startsWith(directory))
}
