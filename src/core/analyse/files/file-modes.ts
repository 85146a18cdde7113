import type { Analysis } from '../analysis/analysis.js'
import type { Builtin } from '../analysis/interpreter.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { scriptPath } from './physical-path.js'

/** Modes that keep a file readable and writable for its owner, and such masks for new files. */
const OPEN_MODE = /^(?:0?[67][0-7]{2}|[ugoa]*\+[rwxXst]+|[go]+[-=][rwxXst]*|[ugoa]*-[xXst]+|[ua]*=rw[xX]*)$/
const OPEN_MASK = /^(?:0*[0-7]{1,2}|u=rwx(?:,[go]+=[rwx]*)*|[go]+[-=][rwx]*)$/

const isOpen = (mode: string): boolean => mode.split(',').every((part) => OPEN_MODE.test(part))

/** Reports a `chmod` that can make the script's files unreadable or unwritable. */
export function noteModes(analysis: Analysis, state: State, args: readonly Arg[]): void {
  if (analysis.certainty.isUnreachable || !analysis.files.hasFiles || args.some(({ text }) => isOpen(text ?? '')))
    return
  const paths = args.slice(1).map(({ text }) => scriptPath(analysis, state, text || '.'))
  if (
    [...analysis.files.texts.keys()].some((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)))
  )
    analysis.findings.reportUnknown('chmod makes files that cannot be read or written', null)
}

/** Reports a `umask` that can make later files unreadable or unwritable. */
export const umask: Builtin = (analysis, state, args) => {
  state.control.status = args.length === 1 ? 0 : null
  const mode = args.at(-1)
  if (args.length > 1 && !mode?.prefix.startsWith('-') && !OPEN_MASK.test(mode?.text ?? ''))
    analysis.findings.reportUnknown('umask makes files that cannot be read or written', null)
}
