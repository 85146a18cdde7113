import type { Span } from '../model/span.js'
import type { Part, Word } from '../shell/tree.js'
import { expandBraces } from './brace.js'
import { currentDirectory } from './current-directory.js'
import { evaluateWord } from './evaluate.js'
import { Fields, unquotedArg, wholeArg } from './fields.js'
import { oneOf } from './one-of.js'
import { tellOwnFiles } from './own-files.js'
import { expandParameter } from './parameter.js'
import { notKnown } from './programs/arguments.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { processSubstitution, substitute } from './substitute.js'
import { kindOfText } from './unquoted-text.js'
import { A_NUMBER, concat, headOf, unknown, type Value } from './value.js'
import { ifsOf } from './variables.js'

/** What one part of a word expands to: a text, or a list whose members stay apart. */
export type Expansion =
  | { readonly value: Value }
  | {
      readonly list: readonly Value[]
      readonly joined: boolean
      /** What is not known in it may be several, between quotes too. */
      readonly isOpen: boolean
      /** Its members were split where they had to be. */
      readonly isSplit?: boolean
    }

/** Words to arguments, as for a command: braces, tildes, parameters, substitutions, splitting, file name patterns. */
export function expandWords(reading: Reading, state: State, words: readonly Word[]): Arg[] {
  const args: Arg[] = []
  for (const word of words) expandWord(reading, state, word, args)
  return args
}

/** One word to arguments, added to those there are. */
export function expandWord(reading: Reading, state: State, word: Word, args: Arg[]): void {
  const span = reading.at(word.span)
  const only = word.parts[0]
  if (word.parts.length === 1 && only?.kind === 'text') {
    const { value } = only
    const kind = only.quoted ? 'plain' : kindOfText(value)
    if (kind === 'plain') {
      args.push({ text: value, head: value, several: false, span })
      return
    }
    if (kind === 'pattern') {
      args.push(unquotedArg(value, span))
      if (reading.findings.hasWrites) tellOwnFiles(reading, state, args, args.length - 1)
      return
    }
  }
  const from = args.length
  if (only !== undefined && only.kind !== 'text' && word.parts.length === 1) {
    expandOnly(reading, state, only, span, args)
    if (reading.findings.hasWrites) tellOwnFiles(reading, state, args, from)
    return
  }
  const alternatives = state.options.has('no-braceexpand') ? [word.parts] : expandBraces(word.parts, reading.work)
  if (!alternatives) {
    args.push(unknownWord('braces that make too many words', span))
    return
  }
  if (alternatives.length > 1 && word.parts.some(hidesQuote)) {
    args.push(unknownWord('braces behind a quote', span))
    return
  }
  for (const parts of alternatives) args.push(...expandParts(reading, state, parts, span))
  if (reading.findings.hasWrites) tellOwnFiles(reading, state, args, from)
}

/** A word that is one expansion and nothing else, as `"$x"` is. */
function expandOnly(
  reading: Reading,
  state: State,
  part: Exclude<Part, { kind: 'text' }>,
  span: Span,
  args: Arg[],
): void {
  const expansion = expandPart(reading, state, part)
  const quoted = isQuoted(part)
  if ('value' in expansion && (quoted || typeof expansion.value !== 'string')) {
    args.push(wholeArg(expansion.value, !quoted, span))
    reading.work.add(5 + (headOf(expansion.value).length >> 2))
    return
  }
  // What is expanded may have changed where it is split.
  const fields = new Fields(span, ifsOf(state))
  addExpansion(fields, expansion, quoted, state)
  fields.end()
  reading.work.add(1 + 4 * fields.args.length + (fields.chars >> 2))
  args.push(...fields.args)
}

/** `"${x-"it's"}"`: looking for braces bash takes the apostrophe for the start of something quoted. */
const hidesQuote = (part: Part): boolean =>
  part.kind === 'parameter' &&
  part.quoted &&
  part.operation?.kind === 'default' &&
  part.operation.operand.parts.some((one) => one.kind === 'text' && one.value.includes("'"))

/** Is what it expands to split into words? */
const isSplit = (part: Part): boolean => part.kind !== 'text' && !isQuoted(part)

const isQuoted = (part: Exclude<Part, { kind: 'text' }>): boolean => part.kind === 'process' || part.quoted

const unknownWord = (unknown: string, span: Span): Arg => notKnown('', { unknown }, 'output', true, span)

function expandParts(reading: Reading, state: State, parts: readonly Part[], span: Span): readonly Arg[] {
  // A word is split when all of it is expanded.
  const expansions = parts.some(isSplit)
    ? parts.map((part) => (part.kind === 'text' ? null : expandPart(reading, state, part)))
    : null
  const fields = new Fields(span, ifsOf(state))
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Part
    if (part.kind === 'text') {
      const value = i === 0 && !part.quoted ? expandFirst(reading, state, part.value, parts.length === 1) : part.value
      if (typeof value === 'string') fields.add(value, part.quoted)
      else fields.addHole(value, true)
    } else addExpansion(fields, expansions?.[i] ?? expandPart(reading, state, part), isQuoted(part), state)
  }
  fields.end()
  reading.work.add(parts.length + 4 * fields.args.length + (fields.chars >> 2))
  return fields.args
}

/** The operand of `${x:-…}` outside quotes: split like what a parameter holds, but for what is quoted inside it. */
export function expandOperandWords(reading: Reading, state: State, word: Word): readonly Arg[] {
  const fields = new Fields(reading.at(word.span), ifsOf(state))
  word.parts.forEach((part, i) => {
    if (part.kind !== 'text') addExpansion(fields, expandPart(reading, state, part), isQuoted(part), state)
    else if (part.quoted) fields.add(part.value, true)
    else fields.split(i === 0 ? expandTilde(reading, state, part.value, word.parts.length === 1) : part.value)
  })
  fields.end()
  reading.work.add(word.parts.length + 4 * fields.args.length + (fields.chars >> 2))
  return fields.args
}

function addExpansion(fields: Fields, expansion: Expansion, quoted: boolean, state: State): void {
  if ('value' in expansion) {
    if (!quoted) fields.split(expansion.value)
    else if (typeof expansion.value === 'string') fields.add(expansion.value, true)
    else fields.addHole(expansion.value, true)
    return
  }
  if (quoted && expansion.joined) {
    const value = joinList(expansion.list, state)
    if (typeof value === 'string') fields.add(value, true)
    else fields.addHole(value, true)
  } else {
    expansion.list.forEach((value, i) => {
      if (i > 0) fields.end()
      if (!(quoted || expansion.isSplit)) fields.split(value)
      else if (typeof value === 'string') fields.add(value, true)
      else fields.addHole(value, !expansion.isOpen)
    })
  }
}

/** `"$*"`: the members with the first character of IFS between them. */
export const joinList = (list: readonly Value[], state: State): Value => joinWith(list, separatorOf(state))

function separatorOf(state: State): string {
  const ifs = ifsOf(state)
  return typeof ifs === 'string' ? (ifs[0] ?? '') : ' '
}

const joinWith = (list: readonly Value[], separator: string): Value =>
  list.reduce<Value>((all, member, i) => concat(i === 0 ? all : concat(all, separator), member), '')

/** One word without splitting or file names: the value of an assignment, a here-document, a subscript. */
export function expandValue(reading: Reading, state: State, word: Word, assignment = false): Value {
  let value: Value = ''
  word.parts.forEach((part, i) => {
    if (part.kind === 'text') {
      const text =
        part.quoted || !part.value.includes('~')
          ? part.value
          : assignment
            ? expandAssignmentTildes(reading, state, part.value, i === 0)
            : i === 0
              ? expandTilde(reading, state, part.value, word.parts.length === 1)
              : part.value
      value = concat(value, text)
      return
    }
    const expansion = expandPart(reading, state, part)
    value = concat(value, 'value' in expansion ? expansion.value : joinedWithBlanks(expansion, state))
  })
  if (word.parts.length > 1 || word.parts[0]?.kind !== 'text')
    reading.work.add(word.parts.length + (headOf(value).length >> 5))
  return value
}

/** The members of `$@` as one text. bash takes blanks or the first character of IFS, depending on what was done to them. */
function joinedWithBlanks({ list, joined }: Extract<Expansion, { list: unknown }>, state: State): Value {
  const separator = separatorOf(state)
  if (joined || separator === ' ') return joinWith(list, separator)
  return oneOf([joinWith(list, ' '), joinWith(list, separator)])
}

/** A word as a pattern, quoted characters escaped; null when it is not known. */
export function expandPattern(reading: Reading, state: State, word: Word): string | null {
  const fields = new Fields(word.span, '')
  word.parts.forEach((part, i) => {
    if (part.kind === 'text') {
      const text =
        i === 0 && !part.quoted ? expandTilde(reading, state, part.value, word.parts.length === 1) : part.value
      if (typeof text === 'string') fields.add(text, part.quoted)
      else fields.addHole(text, true)
    } else addExpansion(fields, expandPart(reading, state, part), 'quoted' in part && part.quoted, state)
  })
  reading.work.add(word.parts.length + (fields.chars >> 3))
  return fields.hole ? null : fields.pattern
}

/** A part that is not plain text. */
export function expandPart(reading: Reading, state: State, part: Exclude<Part, { kind: 'text' }>): Expansion {
  switch (part.kind) {
    case 'parameter':
      return expandParameter(reading, state, part)
    case 'substitution':
      return { value: substitute(reading, state, part.body) }
    case 'arithmetic': {
      const number = evaluateWord(reading, state, part.expression)
      return { value: number === null ? A_NUMBER : String(number) }
    }
    case 'process':
      return { value: processSubstitution(reading, state, part) }
  }
}

/** A word that looks like an assignment (`dd of=~/x`) has its tildes expanded like one. */
function expandFirst(reading: Reading, state: State, text: string, whole: boolean): Value {
  const name = /^[A-Za-z_]\w*=(?=.*~)/s.exec(text)?.[0]
  return name === undefined
    ? expandTilde(reading, state, text, whole)
    : concat(name, expandAssignmentTildes(reading, state, text.slice(name.length), true))
}

/** `~`, `~/…`, `~+`, `~user` at the start of a word. `whole`: the text is all of the word. */
function expandTilde(reading: Reading, state: State, text: string, whole: boolean): Value {
  if (!text.startsWith('~')) return text
  const slash = text.indexOf('/')
  if (slash < 0 && !whole) return text
  const prefix = slash < 0 ? text : text.slice(0, slash)
  const rest = slash < 0 ? '' : text.slice(slash)
  if (prefix === '~') {
    const home = state.get('HOME')
    return concat(home?.isSet ? home.value : reading.context.home, rest)
  }
  if (prefix === '~+') return concat(currentDirectory(state), rest)
  if (prefix === '~-')
    return state.previous === null || state.stays.length > 0
      ? unknown('environment', 'the previous directory')
      : state.previous + rest
  if (/^~[+-]?\d+$/.test(prefix)) return unknown('decoded', 'a remembered directory')
  if (prefix === '~root') return `/root${rest}`
  if (!/^~[a-z_][\w.-]*$/i.test(prefix)) return text
  const { home } = reading.context
  // The home of the user is told; those of others are where they usually are, or nowhere.
  if (home.endsWith(`/${prefix.slice(1)}`)) return home + rest
  const usual = `/home/${prefix.slice(1)}${rest}`
  return { ...unknown('environment', 'the home of a user who may not exist', usual), options: [usual] }
}

function expandAssignmentTildes(reading: Reading, state: State, text: string, first: boolean): Value {
  let value: Value = ''
  text.split(':').forEach((piece, i) => {
    const expanded = first || i > 0 ? expandTilde(reading, state, piece, true) : piece
    value = concat(i === 0 ? value : concat(value, ':'), expanded)
  })
  return value
}
