import { baseName } from '../model/path.js'
import { startedBy } from './programs/inner-workings.js'
import type { Arg } from './programs/knowledge.js'
import { startsOthers } from './programs/starters.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** By its bare name, or from where programs are installed: another one of that name may be anything. */
const INSTALLED = /^(?:(?:\/usr)?(?:\/local)?\/s?bin\/)?[^/]+$/

/** Is there word already that code runs here which is not read? */
const isSaid = ({ findings, here }: Reading): boolean => {
  const last = findings.opaque.at(-1)
  return last !== undefined && last.span[0] >= here[0] && last.span[1] <= here[1]
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
  isKnown: boolean,
): void {
  const started = INSTALLED.test(args[0]?.text ?? '') ? startedBy(base, args) : null
  for (const { argv, conditional } of started ?? []) {
    reading.findings.invocation({
      program: baseName(argv[0] as string),
      argv,
      span: reading.here,
      via: [...state.via, base],
      implied: true,
      ...(conditional || reading.undecided > 0 || reading.dead > 0 || reading.unsure > 0 ? { conditional: true } : {}),
    })
  }
  if ((isKnown && !startsOthers(base, args)) || isSaid(reading)) return
  const reason = isKnown ? `${base} starts programs of its own` : `nothing is known of what ${base} starts`
  reading.findings.spot({ kind: 'foreign', reason, span: reading.here, inherent: true })
}
