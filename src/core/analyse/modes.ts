import type { Builtin } from './builtins.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'

/** A mode, as `chmod` takes one. */
const MODE = /^(?:[0-7]{1,4}|[ugoa]*[-+=][rwxXstugo]*(?:,[ugoa]*[-+=][rwxXstugo]*)*)$/

/** Does a mode leave it open whether the owner can read and write? */
function restricts(mode: string): boolean {
  if (/^[0-7]+$/.test(mode)) return (Number.parseInt(mode.at(-3) ?? '0', 8) & 6) !== 6
  return mode
    .split(',')
    .some((one) => !/^[go]+[-+=]/.test(one) && (/-.*[rw]/.test(one) || (one.includes('=') && !/=.*r.*w/.test(one))))
}

/** `chmod`: files of the script's own that refuse to be read or written from then on, unless by root. */
export function noteModes(reading: Reading, state: State, args: readonly Arg[]): void {
  if (reading.dead > 0 || !reading.memory.hasFiles) return
  const mode = args.slice(1).find(({ text }) => text !== null && MODE.test(text))
  if (!mode?.text || !restricts(mode.text)) return
  for (const arg of args) {
    const path = arg === mode || !arg.text ? null : reading.owned(state, arg.text)
    if (path === null) continue
    for (const [file, sink] of reading.files)
      if (sink && (file === path || file.startsWith(`${path}/`))) sink.mayRefuse = true
  }
}

/** `umask`: files made from then on may refuse too. */
export const umask: Builtin = (reading, state, args) => {
  state.status = args.length === 1 ? 0 : null
  const mode = args.at(-1)?.text
  if (args.length === 1 || mode?.startsWith('-')) return
  const isOpen = mode?.length !== undefined && (/^0*[0-7]{1,2}$/.test(mode) || !/^[0-7]+$|[ua=].*[-=]|^[-=]/.test(mode))
  if (!isOpen) reading.isMasked = true
}
