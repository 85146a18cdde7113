import { reads } from './arg-parts.js'
import type { Arg, Call, Effect, Grammar } from './knowledge.js'

const ABOUT = ['-h', '--help', '-help', '-V', '--version', '-version', '-v']

/**
 * A language: it runs code of its own unless it is only asked about itself. `about` are its words for that; `code` are the options
 * that hold its code, which roles name already, as they name a program file.
 */
export function language(
  what: string,
  about: readonly string[] = ABOUT,
  code?: readonly string[],
): (call: Call) => readonly Effect[] {
  return (call) => {
    const { operands, options } = call
    if (operands.length === 0 && options.length > 0 && options.every((o) => about.includes(o.name))) return []
    const named = code && (call.has(...code) || (operands.length > 0 && !call.has('-m')))
    const args = call.has('-m', ...(code ?? [])) ? operands : operands.slice(1)
    const runs: readonly Effect[] = named ? [] : [{ does: 'foreign', reason: what }]
    return args.length === 0 ? runs : [...runs, ...args.filter(isAbsolute).map((arg) => reads(arg))]
  }
}

/** What a program is given by an absolute path it reads, as far as anybody can tell. */
const isAbsolute = (arg: Arg): boolean => /^\/[^/\s]\S*$/.test(arg.text ?? '')

/** A language that names its program as the first operand; what follows belongs to that program. */
export const scripted = (what: string): Grammar => ({
  flags: ABOUT.join(' '),
  operands: ['code-file'],
  permute: false,
  singleDash: true,
  unlisted: 'ignore',
  hook: language(what, ABOUT, []),
})
