import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import { pathNameOf } from '../run/redirections.js'
import type { State } from '../state/state.js'
import { unknown } from '../values/value.js'
import { runsWritten } from './program.js'

/** Reports an unknown command word and lists it with its arguments. */
export function runUnknown(analysis: Analysis, state: State, args: readonly Arg[]): void {
  const [command] = args
  if (!command) return
  state.control.status = null
  analysis.findings.changesAnything = true
  if (command.origin === 'decoded' || command.origin === 'unpacked')
    analysis.findings.shape('decode-and-run', analysis.location.here)
  if (command.origin === 'download') analysis.findings.shape('download-and-run', analysis.location.here)
  const pathName = pathNameOf(analysis, state, command)
  if (pathName !== null && analysis.files.texts.has(pathName)) {
    runsWritten(analysis, state, args, pathName)
    return
  }
  analysis.findings.reportUnknown(
    command.unknown?.glob === undefined
      ? `the program name is unknown: ${command.unknown?.unknown ?? ''}`
      : 'the program name is a glob',
    null,
  )
  analysis.findings.addInvocation(state, args)
  state.descriptors.get(1)?.sink?.write(unknown('output', 'the output of an unknown program'))
}
