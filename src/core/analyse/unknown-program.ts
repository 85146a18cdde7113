import { runsWritten } from './program.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { placeOf } from './redirect.js'
import type { State } from './state.js'
import { unknown } from './value.js'

/** Reports a command word that is not known, and lists it with its arguments. */
export function runUnknown(reading: Reading, state: State, args: readonly Arg[]): void {
  const [command] = args
  if (!command) return
  state.status = null
  reading.findings.changesAnything = true
  if (command.source === 'decoded' || command.source === 'unpacked')
    reading.findings.shape('decode-and-run', reading.here)
  if (command.source === 'download') reading.findings.shape('download-and-run', reading.here)
  const place = placeOf(reading, state, command)
  if (place !== null && reading.files.has(place)) {
    runsWritten(reading, state, args, place)
    return
  }
  reading.reportUnknown(
    command.unknown?.glob === undefined
      ? `the program is not known: ${command.unknown?.unknown ?? ''}`
      : 'the program is given by a pattern',
    null,
  )
  reading.invocation(state, args)
  state.descriptors.get(1)?.sink?.write(unknown('output', 'the output of a program that is not known'))
}
