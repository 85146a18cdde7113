import type { Invocation } from '../model/facts.js'
import { baseName } from '../model/path.js'
import { DECODERS } from './printing.js'
import { known, notKnown } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { isTelling, mayRepeat } from './repeating.js'
import { isTold } from './writers.js'

/** What a process was given to start with: words of the script's own. */
const OF_PROCESS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|cmdline|comm|fd\/.*)$/

/** Programs that write no file, or none but with text that is followed. */
const READS_ONLY =
  /^(?:cat|head|tail|less|more|ls|stat|wc|grep|rg|cp|mv|rm|mkdir|touch|chmod|chown|cd|test|\[|diff|file|du|cut|uniq|ln|echo|printf|read|source|\.)$/

/**
 * May a file hold text of the script's own, although the script is not seen to write it? A program was told its name, or the beginning
 * of it, together with text that names a path.
 */
export function holdsOwnText(reading: Reading, path: string): boolean {
  if (OF_PROCESS.test(path)) return true
  const name = baseName(path)
  if (name.length < 2) return false
  const { findings, inline, work } = reading
  work.add(findings.invocations.length >> 2)
  if (inline.some((one) => isTelling(one.text) && isTold(one, name))) return true
  return findings.invocations.slice(0, -1).some(({ program, argv }) => {
    if (program === null || READS_ONLY.test(program)) return false
    work.add(argv.length)
    return (
      argv.some((arg, i) => i > 0 && typeof arg === 'string' && isNamed(name, arg)) &&
      (DECODERS.has(program) || mayRepeat(program, argv.map(asArg)))
    )
  })
}

/** Is it a word of its own, or the beginning of the name? */
function isNamed(name: string, arg: string): boolean {
  const word = baseName(arg.replace(/^[\w-]*=/, ''))
  return word.length > 1 && !word.startsWith('-') && (name === word || name.startsWith(`${word}.`))
}

const asArg = (arg: Invocation['argv'][number]): Arg =>
  typeof arg === 'string' ? known(arg, [0, 0]) : notKnown('', arg, undefined, false, [0, 0])
