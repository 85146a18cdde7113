import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Sink } from './streams.js'

const PLAIN_VENV = /^--(?:system-site-packages|symlinks|copies|clear|upgrade-deps|without-pip)$/

/** Tells whether a program of this name can make an environment for Python. */
export const makesEnvironment = (base: string): boolean => /^(?:python[\d.]*|virtualenv|uv)$/.test(base)

/** Notes `python3 -m venv DIR`: DIR/bin/activate is then Python's own script. A script that was there before is still read. */
export function noteEnvironment(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
  if (reading.dead > 0) return
  const words = args.slice(1).map((arg) => arg.text)
  const made = base === 'uv' ? words[0] === 'venv' : base === 'virtualenv' || (words[0] === '-m' && words[1] === 'venv')
  const rest = words
    .slice(base === 'virtualenv' ? 0 : base === 'uv' ? 1 : 2)
    .filter((word) => !PLAIN_VENV.test(word ?? ''))
  const [directory = base === 'uv' ? '.venv' : undefined, ...more] = rest
  if (!made || more.length > 0 || !directory || directory.startsWith('-')) return
  const path = reading.absolute(state, `${directory}/bin/activate`)
  if (path === null || reading.files.has(path)) return
  const sink = new Sink()
  sink.continues = true
  reading.memory.hasFiles = true
  reading.files.set(path, sink)
}
