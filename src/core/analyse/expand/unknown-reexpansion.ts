import type { Analysis } from '../analysis/analysis.js'
import type { State } from '../state/state.js'
import type { UnknownValue } from '../values/value.js'
import { expandText } from './reexpansion.js'

/** The start of a substitution in the known prefix. */
const OPENS_COMMAND = /\$\(|`|\$\{/

/**
 * Reports an unknown value that bash expands again (arithmetic, variable names, prompts). It can run a command if it
 * comes from input, a download or obfuscated text, or opens a substitution. Other values are ignored.
 */
export function reportReexpansion(analysis: Analysis, state: State, value: UnknownValue): void {
  const opens = OPENS_COMMAND.test(value.prefix)
  const isDecoded = value.origin === 'decoded' || value.origin === 'unpacked'
  if (isDecoded) analysis.findings.shape('decode-and-run', analysis.location.here)
  if (isDecoded || opens || value.origin === 'made' || value.origin === 'input' || value.origin === 'download')
    analysis.findings.reportUnknown(`bash expands unknown text again, which can run a command: ${value.unknown}`, null)
  if (opens) expandText(analysis, state, value.prefix)
}
