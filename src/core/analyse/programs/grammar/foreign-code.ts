import { reads } from './effect-builders.js'
import type { Arg, Call, Effect, Grammar } from './roles.js'

const ABOUT = ['-h', '--help', '-help', '-V', '--version', '-version', '-v']

/** Returns the effects of a language: foreign code, unless only `about` options are given. */
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

/** Tells whether an argument is an absolute path, which the program probably reads. */
const isAbsolute = (arg: Arg): boolean => /^\/[^/\s]\S*$/.test(arg.text ?? '')

/** Returns the grammar of a language whose first operand is the program. Later arguments belong to that program. */
export const scripted = (what: string): Grammar => ({
  flags: ABOUT.join(' '),
  operands: ['code-file'],
  permute: false,
  style: 'single-dash',
  unlisted: 'ignore',
  effects: language(what, ABOUT, []),
})
