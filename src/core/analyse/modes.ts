import type { Builtin } from './builtins.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** Modes that leave a file readable and writable for its owner, and masks that do so for new files. */
const OPEN_MODE = /^(?:0?[67][0-7]{2}|[ugoa]*\+[rwxXst]+|[go]+[-=][rwxXst]*)$/
const OPEN_MASK = /^(?:0*[0-7]{1,2}|u=rwx(?:,[go]+=[rwx]*)*|[go]+[-=][rwx]*)$/

/** `chmod`: reports files of the script's own that may refuse to be read or written from then on. */
export function noteModes(reading: Reading, state: State, args: readonly Arg[]): void {
  if (reading.dead > 0 || !reading.memory.hasFiles || args.some(({ text }) => OPEN_MODE.test(text ?? ''))) return
  const paths = args.slice(1).map(({ text }) => reading.owned(state, text || '.'))
  if ([...reading.files.keys()].some((file) => paths.some((path) => file === path || file.startsWith(`${path}/`))))
    reading.reportUnknown('chmod makes files that cannot be read or written', null)
}

/** `umask`: files that are made from then on may refuse too. */
export const umask: Builtin = (reading, state, args) => {
  state.status = args.length === 1 ? 0 : null
  const mode = args.at(-1)
  if (args.length > 1 && !mode?.head.startsWith('-') && !OPEN_MASK.test(mode?.text ?? ''))
    reading.reportUnknown('umask makes files that cannot be read or written', null)
}
