import type { Analysis } from '../analysis/analysis.js'
import { absolutePath } from '../files/physical-path.js'
import type { Arg } from '../programs/grammar/roles.js'
import { runScript } from '../run/shell-text.js'
import type { State } from '../state/state.js'

/** Runs files of the script that a program executes on its own: git hooks, files for `run-parts`. */
export function runHooks(analysis: Analysis, state: State, program: string, args: readonly Arg[]): void {
  if (!analysis.files.hasFiles) return
  const isHook = program === 'git' ? (path: string) => /\/hooks\/[a-z-]+$/.test(path) : isPart(analysis, state, args)
  const paths = [...analysis.files.texts.keys()].filter(isHook)
  for (const path of paths.slice(0, 32)) {
    const inner = state.fork()
    inner.via = [...state.via, program]
    inner.arguments = { ...inner.arguments, scriptName: path }
    const script = { text: path, prefix: path, maySplit: false, span: analysis.location.here }
    analysis.certainty.maybe(() => runScript(analysis, inner, script, [], 'unknown'))
  }
}

function isPart(analysis: Analysis, state: State, args: readonly Arg[]): (path: string) => boolean {
  const directories = args.slice(1).flatMap((arg) => (arg.text ? [`${absolutePath(analysis, state, arg.text)}/`] : []))
  return (path) => directories.some((directory) => path.startsWith(directory))
}
