import { baseName } from '../../model/basics/path.js'
import type { Invocation } from '../../model/run/facts.js'
import type { Analysis } from '../analysis/analysis.js'
import { DECODERS } from '../programs/decoders.js'
import { known, notKnown } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { isSensitive, mayRepeat } from '../values/repeating-text.js'
import { isNamedOutput } from './indirect-writers.js'

/** Files of /proc that repeat words of the script. */
const OF_PROCESS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|cmdline|comm|fd\/.*)$/

/** Programs that write no file, or only text that is followed. */
const READS_ONLY =
  /^(?:cat|head|tail|less|more|ls|stat|wc|grep|rg|cp|mv|rm|mkdir|touch|chmod|chown|cd|test|\[|diff|file|du|cut|uniq|ln|echo|printf|read|source|\.)$/

/** Tells whether a file can hold words of the script: a program received its name, together with a path. */
export function holdsOwnText(analysis: Analysis, path: string): boolean {
  if (OF_PROCESS.test(path)) return true
  const name = baseName(path)
  if (name.length < 2) return false
  const { findings, files, budget } = analysis
  budget.add(findings.invocations.length >> 2)
  if (files.inline.some((one) => isSensitive(one.text) && isNamedOutput(one, name))) return true
  return findings.invocations.slice(0, -1).some(({ program, argv }) => {
    if (program === null || READS_ONLY.test(program)) return false
    budget.add(argv.length)
    return (
      argv.some((arg, i) => i > 0 && typeof arg === 'string' && isNamed(name, arg)) &&
      (DECODERS.has(program) || mayRepeat(program, argv.map(asArg)))
    )
  })
}

/** Tells whether the argument is the name or its start. */
function isNamed(name: string, arg: string): boolean {
  const word = baseName(arg.replace(/^[\w-]*=/, ''))
  return word.length > 1 && !word.startsWith('-') && (name === word || name.startsWith(`${word}.`))
}

const asArg = (arg: Invocation['argv'][number]): Arg =>
  typeof arg === 'string' ? known(arg, [0, 0]) : notKnown('', arg, false, [0, 0])
