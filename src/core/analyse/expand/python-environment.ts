import type { Analysis } from '../analysis/analysis.js'
import { absolutePath } from '../files/physical-path.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { Sink } from '../state/streams.js'

const PLAIN_VENV = /^--(?:system-site-packages|symlinks|copies|clear|upgrade-deps|without-pip)$/

/** Tells whether a program of this name can create a Python environment. */
export const makesEnvironment = (base: string): boolean => /^(?:python[\d.]*|virtualenv|uv)$/.test(base)

/** Records `python3 -m venv DIR`, which writes DIR/bin/activate. An earlier script there is still analysed. */
export function noteEnvironment(analysis: Analysis, state: State, base: string, args: readonly Arg[]): void {
  if (analysis.certainty.isUnreachable) return
  const words = args.slice(1).map((arg) => arg.text)
  const made = base === 'uv' ? words[0] === 'venv' : base === 'virtualenv' || (words[0] === '-m' && words[1] === 'venv')
  const rest = words
    .slice(base === 'virtualenv' ? 0 : base === 'uv' ? 1 : 2)
    .filter((word) => !PLAIN_VENV.test(word ?? ''))
  const [directory = base === 'uv' ? '.venv' : undefined, ...more] = rest
  if (!made || more.length > 0 || !directory || directory.startsWith('-')) return
  const path = absolutePath(analysis, state, `${directory}/bin/activate`)
  if (path === null || analysis.files.texts.has(path)) return
  const sink = new Sink()
  sink.hasEarlierText = true
  analysis.files.hasFiles = true
  analysis.files.texts.set(path, sink)
}
