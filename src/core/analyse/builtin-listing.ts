import type { Arg } from './programs/knowledge.js'
import type { State } from './state.js'
import { unknown } from './value.js'

type Lists = (operands: readonly string[]) => boolean

/** Builtins that list what the shell knows when they are asked to, and by which arguments they are. */
const LISTS: ReadonlyMap<string, Lists> = new Map<string, Lists>([
  ['alias', (operands) => operands.every((text) => !text.includes('='))],
  ['hash', (operands) => operands.length === 0 || /^-[a-z]*[tl]/.test(operands[0] ?? '')],
  ['trap', (operands) => operands.length === 0 || /^-[lp]/.test(operands[0] ?? '')],
  ['set', (operands) => operands.length === 0 || /^[-+]o$/.test(operands.at(-1) ?? '')],
  ['shopt', (operands) => !operands.some((text) => /^-[a-z]*[su]/.test(text))],
  ['export', (operands) => isPrint(operands)],
  ['declare', (operands) => isPrint(operands)],
  ['typeset', (operands) => isPrint(operands)],
  ['local', (operands) => isPrint(operands)],
  ['readonly', (operands) => isPrint(operands)],
  ['enable', (operands) => isPrint(operands)],
  ['bind', (operands) => operands.some((text) => /^-[a-zA-Z]*[lpPvVsSX]/.test(text))],
  ['complete', (operands) => isPrint(operands)],
  ['compopt', () => true],
  ['history', (operands) => !/^-[acdnrsw]/.test(operands[0] ?? '')],
  ['fc', (operands) => operands.some((text) => /^-[a-z]*l/.test(text))],
  ['umask', (operands) => operands.every((text) => text.startsWith('-'))],
  ['ulimit', (operands) => operands.every((text) => !/^\d/.test(text))],
])

const isPrint = (operands: readonly string[]): boolean =>
  operands.length === 0 || operands.some((text) => /^-[a-zA-Z]*p/.test(text))

/** What a builtin lists is made of the script's own words: it is no empty text, and run by a shell it is a disguise. */
export function writeListing(state: State, name: string, args: readonly Arg[]): void {
  const sink = state.descriptors.get(1)?.sink
  if (!sink || !LISTS.get(name)?.(args.slice(1).map((arg) => arg.text ?? arg.head))) return
  sink.write(unknown('decoded', `what ${name} lists`))
}
