import type { Call, Effect, Grammar } from './knowledge.js'

const ABOUT = ['-h', '--help', '-help', '-V', '--version', '-version', '-v']

/** A language: whatever it is given it runs code of its own, unless it is only asked about itself. `says` are its own words for that. */
export function language(what: string, says: readonly string[] = ABOUT): (call: Call) => readonly Effect[] {
  return (call) => {
    const asked =
      call.operands.length === 0 && call.options.length > 0 && call.options.every((o) => says.includes(o.name))
    return asked ? [] : [{ does: 'foreign', reason: what }]
  }
}

/** A language that names its program as the first operand; what follows belongs to that program. */
export const scripted = (what: string): Grammar => ({
  flags: ABOUT.join(' '),
  operands: ['code-file'],
  permute: false,
  unknown: 'ignore',
  hook: language(what),
})
