import { wherePrograms } from './builtin-lookup.js'
import { echoed, printfed } from './builtin-print.js'
import { dated } from './disguise.js'
import { eachFiltered, filtered } from './filtered-output.js'
import { oneOf } from './one-of.js'
import { ownOutput } from './own-output.js'
import { external, PLACED, type Printing } from './printing.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { fileSink, textOfFile } from './redirect.js'
import type { State } from './state.js'
import { concat, type Hole, PLAIN_PLACE, unknown, type Value } from './value.js'
import { lookUp } from './variables.js'

/** What a program prints: known when it only transforms known text. */
export function printed(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  printing: Printing,
): Value {
  if (printing.isSpecial) return printedSpecially(reading, state, program, args, printing)
  if (printing.isTelling) {
    const told = ownOutput(reading, state, program, args) ?? placeOf(reading, state, program, args)
    if (told !== null) return told
  }
  const value = printedFrom(reading, state, program, reading.unnumbered > 0 ? numbered(args) : args, printing)
  return reading.memory.hasFiles && typeof value === 'object' ? withOwnTexts(reading, state, args, value) : value
}

/** Process substitutions whose numbers are not known go by those they would have. */
const numbered = (args: readonly Arg[]): readonly Arg[] =>
  args.map((arg) =>
    arg.text === null && arg.place?.startsWith('/dev/fd/') ? { ...arg, text: arg.place, head: arg.place } : arg,
  )

/** A program that is given files of the script's own may print what is in them. */
function withOwnTexts(reading: Reading, state: State, args: readonly Arg[], value: Hole): Value {
  const texts = args.slice(1).flatMap(({ text, span }): readonly Arg[] => {
    const path = text === null || text.startsWith('-') ? null : reading.owned(state, text)
    const own = path === null ? '' : textOfFile(reading, path)
    const known = typeof own === 'string' ? own : own.options?.[0]
    return known ? [{ text: known, head: known, several: false, span }] : []
  })
  return texts.length === 0 ? value : { ...value, said: [...(value.said ?? args), ...texts] }
}

function printedFrom(reading: Reading, state: State, program: string, args: readonly Arg[], printing: Printing): Value {
  const { filter } = printing
  const input = state.descriptors.get(0)?.input?.peek() ?? ''
  const each = filter && typeof input === 'object' && input.options ? eachFiltered(reading, args, filter, input) : null
  if (each !== null && typeof input === 'object') {
    // A condition alone decides which of them it is.
    if (input.source === 'condition' && each.isWhole) return oneOf(each.texts)
    const rest = external(reading, program, args, input, printing)
    return typeof rest === 'string' ? rest : { ...rest, options: each.texts }
  }
  // A filter of what is not known, which is told nothing but how: that is most of them.
  if (filter === null || (typeof input === 'object' && filter.usesInput && program !== 'cat' && hasOnlyOptions(args)))
    return external(reading, program, args, input, printing)
  return filtered(reading, state, { program, args, filter, printing })
}

function printedSpecially(
  reading: Reading,
  state: State,
  program: string,
  args: readonly Arg[],
  printing: Printing,
): Value {
  if (program === 'echo') return echoed(args)
  if (program === 'printf') return printfed(args[1]?.text === '--' ? args.slice(2) : args.slice(1))
  if (program === 'date') {
    const text = dated(args)
    if (typeof text === 'string') reading.decoded.push(text.trim())
    return text ?? external(reading, program, args, '', printing)
  }
  if (program === 'printenv') {
    const variable = args.length === 2 && args[1]?.text ? lookUp(reading, state, args[1].text) : null
    return variable?.exported && variable.isSet
      ? concat(variable.value, '\n')
      : external(reading, program, args, '', printing)
  }
  if (program === 'tee') return tee(reading, state, args)
  if (program === 'mktemp')
    return {
      ...unknown('output', 'the output of mktemp'),
      place: `/dev/cordon/${isPlainName(reading, state, args) ? PLAIN_PLACE : 'mktemp'}-${reading.temporaries++}`,
    }
  return wherePrograms(state, args.slice(1))
}

/** Is it where temporary files are, by a name that only mktemp makes up? */
function isPlainName(reading: Reading, state: State, [program, ...args]: readonly Arg[]): boolean {
  if (program?.text !== 'mktemp' || state.get('TMPDIR') !== undefined) return false
  if (!args.every(({ text }) => text !== null && /^(?:-[dq]+|--directory|--quiet)$/.test(text))) return false
  const { value, isSet } = lookUp(reading, state, 'TMPDIR')
  return !isSet || typeof value !== 'string' || /^[\w./-]*$/.test(value)
}

function hasOnlyOptions(args: readonly Arg[]): boolean {
  for (let i = 1; i < args.length; i++) if (!args[i]?.text?.startsWith('-')) return false
  return true
}

/** `realpath x`, `readlink -f x`, `ls /bin/x`, `find /bin -name x`: a path that stands on the command line. */
function placeOf(reading: Reading, state: State, program: string, args: readonly Arg[]): Value | null {
  if (!PLACED.has(program)) return null
  let only: Arg | undefined
  let count = 0
  for (let i = 1; i < args.length; i++) {
    if (args[i]?.head.startsWith('-')) continue
    only ??= args[i]
    count++
  }
  if (program === 'find') {
    const at = args.findIndex((arg) => arg.text === '-name')
    const name = at < 0 ? '*' : args[at + 1]?.text
    return only?.text && name && (at >= 0 || /^(?:\/|\.\.(?:\/|$))/.test(only.text))
      ? {
          unknown: 'files that are found',
          source: 'files',
          head: '',
          glob: `${only.text.replace(/(?<=.)\/+$/, '')}/${name}`.replace('//', '/'),
        }
      : null
  }
  if (count !== 1) return null
  if (program === 'ls' && only?.unknown?.glob)
    return { unknown: 'a pattern for file names', source: 'files', head: '', glob: only.unknown.glob }
  if (!only?.text) return null
  if (program === 'ls')
    return only.text.includes('/') ? { unknown: 'what is there', source: 'files', head: '', glob: only.text } : null
  const resolves = program === 'realpath' || (program === 'readlink' && args.some((arg) => /^-[fem]/.test(arg.head)))
  const path = resolves ? reading.absolute(state, only.text) : null
  return path === null ? null : `${path}\n`
}

function tee(reading: Reading, state: State, args: readonly Arg[]): Value {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  const append = args.some((arg) => /^(-[a-z]*a|--app)/.test(arg.text ?? ''))
  for (const arg of args.slice(1)) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    fileSink(reading, reading.owned(state, arg.text), append || /^\/dev\/fd\//.test(arg.text))?.write(input)
  }
  return input
}
