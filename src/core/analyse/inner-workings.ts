import { baseName } from '../model/path.js'
import { type Starts, startedBy } from './programs/inner-workings.js'
import type { Arg } from './programs/knowledge.js'
import { gitStartsOthers } from './programs/starters.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Sink } from './streams.js'
import type { Traits } from './traits.js'

/** By its bare name, or from where programs are installed: another one of that name may be anything. */
const INSTALLED = /^(?:(?:\/usr)?(?:\/local)?\/s?bin\/)?[^/]+$/

/** Is there word already that code runs here which is not read? */
const isSaid = ({ findings, here }: Reading): boolean => {
  const { opaque } = findings
  const last = opaque[opaque.length - 1]
  return last !== undefined && last.span[0] >= here[0] && last.span[1] <= here[1]
}

const PLAIN_VENV = /^--(?:system-site-packages|symlinks|copies|clear|upgrade-deps|without-pip)$/

/** Can a program of this name make an environment for Python? */
export const makesEnvironment = (base: string): boolean => /^(?:python[\d.]*|virtualenv|uv)$/.test(base)

/** `python3 -m venv DIR`: what DIR/bin/activate holds afterwards is Python's own. What was there before is still read. */
function noteEnvironment(reading: Reading, state: State, base: string, args: readonly Arg[]): void {
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

/**
 * What a program starts by itself, whatever it is told: listed where it is always the same, else said to be there. Neither speaks
 * for or against the command, since nothing on the line decides it.
 */
export function addInnerWorkings(
  reading: Reading,
  state: State,
  base: string,
  args: readonly Arg[],
  traits: Traits,
): void {
  if (traits.makesEnvironment) noteEnvironment(reading, state, base, args)
  if (traits.starts !== null && INSTALLED.test(args[0]?.text ?? ''))
    addStarted(reading, state, base, args, traits.starts)
  if ((traits.grammar !== null && !(traits.isStarter ?? gitStartsOthers(args))) || isSaid(reading)) return
  reading.findings.spot({ kind: 'foreign', reason: traits.startsSomething, span: reading.here, inherent: true })
}

function addStarted(reading: Reading, state: State, base: string, args: readonly Arg[], starts: Starts): void {
  const via = [...state.via, base]
  for (const { argv, conditional } of startedBy(starts, args)) {
    const invocation = { program: baseName(argv[0] as string), argv, span: reading.here, via, implied: true }
    reading.findings.invocation(conditional || reading.isUnsure ? { ...invocation, conditional: true } : invocation)
  }
}
