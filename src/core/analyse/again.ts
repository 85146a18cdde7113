import { expandText } from './evaluate-text.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import type { Hole } from './value.js'

/** What is known to come first already opens a command. */
const OPENS_COMMAND = /\$\(|`|\$\{/

/**
 * Text that is not known where bash evaluates it once more: as arithmetic, as the name of a variable, as a prompt. What others wrote, and
 * what the script hid from its readers, can hold a command there; a number, or a line of a file that is counted with, is left alone.
 */
export function doubt(reading: Reading, state: State, value: Hole): void {
  const opens = OPENS_COMMAND.test(value.head)
  const isDecoded = value.source === 'decoded' || value.source === 'unpacked'
  if (isDecoded) reading.findings.shape('decode-and-run', reading.here)
  if (isDecoded || opens || value.source === 'made' || value.source === 'input' || value.source === 'download')
    reading.reportUnknown(`text that is not known is evaluated again, which can run a command: ${value.unknown}`, null)
  if (opens) expandText(reading, state, value.head)
}
